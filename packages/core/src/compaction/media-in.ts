import { isRecord, isWhole } from '../model/value.ts';

/** A picture, a recording or a file inside a result: what it is, and how many bytes of it are there. */
export type Medium = { readonly what: string; readonly bytes: number; readonly characters: number };

const NAMES = /image|screenshot|audio|video|document|file|media|binary/;
const KEYS: readonly string[] = ['image', 'document', 'audio', 'video', 'inlineData', 'inline_data'];
const TYPE_KEYS: readonly string[] = ['mediaType', 'media_type', 'mimeType', 'mime_type', 'format'];
const ADDRESSED = /^(?:https?|gs|s3|file):/;
const DATA_URL = /^data:([^;,]*)/;
const ENCODED = /^[A-Za-z0-9+/_-]{64,}={0,2}$/;
/** Results are a few levels deep; what lies deeper is the output of a tool and is not taken for a picture. */
const DEEPEST = 8;

/** The media in the wire of a result, in order. */
export function mediaIn(value: unknown, depth = 0): readonly Medium[] {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return (value as unknown[]).flatMap((each) => mediaIn(each, depth + 1));
  if (!isRecord(value) || isWhole(value)) return [];
  const name = nameOf(value);
  const medium = name === undefined ? undefined : mediumOf(value, name);
  if (medium !== undefined) return [medium];
  return Object.keys(value).flatMap((key) => mediaIn(value[key], depth + 1));
}

/** What a record says it is, by its type or by the key that its content has. */
function nameOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const { type, kind } = value;
  const said = typeof type === 'string' ? type : kind;
  if (typeof said === 'string' && NAMES.test(said)) return NAMES.exec(said)?.[0];
  const key = KEYS.find((each) => isRecord(value[each]));
  return key === undefined ? undefined : (NAMES.exec(key)?.[0] ?? 'media');
}

type Found = { bytes: number; characters: number; type: string | undefined; there: boolean };

function mediumOf(value: Readonly<Record<string, unknown>>, name: string): Medium | undefined {
  const found: Found = { bytes: 0, characters: 0, type: undefined, there: false };
  look(value, found, 0);
  const { bytes, characters, type, there } = found;
  return there ? { what: type ?? name, bytes, characters } : undefined;
}

function look(record: Readonly<Record<string, unknown>>, found: Found, depth: number): void {
  for (const key of Object.keys(record)) {
    const each = record[key];
    if (typeof each === 'string') lookAtText(key, each, found);
    else if (typeof each === 'object' && each !== null) {
      const inner = each as Readonly<Record<string, unknown>>;
      if (isWhole(each)) {
        found.there = true;
        if (typeof inner['byteLength'] === 'number') found.bytes += inner['byteLength'];
      } else if (depth < DEEPEST) look(inner, found, depth + 1);
    }
  }
}

function lookAtText(key: string, text: string, found: Found): void {
  if (TYPE_KEYS.includes(key)) {
    found.type ??= text;
    return;
  }
  const data = DATA_URL.exec(text);
  if (data?.[1] !== undefined && data[1] !== '') found.type ??= data[1];
  const encoded = data === null ? text.length : text.length - text.indexOf(',') - 1;
  if (data === null && !ENCODED.test(text)) found.there ||= ADDRESSED.test(text);
  else {
    found.there = true;
    found.bytes += Math.floor((encoded * 3) / 4);
    found.characters += text.length;
  }
}
