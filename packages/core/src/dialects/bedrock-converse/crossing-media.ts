import { bytesToBase64 } from '../../model/base64.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { Media, Part, Piece } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { toPieces } from '../conversion/pieces.ts';
import { inside, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { base64Of, endingOf, mimeOfEnding } from '../conversion/media.ts';

const KINDS = ['image', 'document', 'video', 'audio'] as const;
const MEDIA: ReadonlySet<string> = new Set(['format', 'source', 'name']);
const SOURCE: ReadonlySet<string> = new Set(['bytes', 's3Location', 'text']);
const LOCATION: ReadonlySet<string> = new Set(['uri']);

/** Reads a block of media. */
export function readMember(wire: Wire, spot: Spot, lose: Lose): Part {
  const type = KINDS.find((key) => isRecord(wire[key]));
  const inner = type === undefined ? undefined : wire[type];
  const media = type === undefined || !isRecord(inner) ? undefined : mediaOf(inner, type);
  if (media === undefined || type === undefined)
    return { kind: 'opaque', characters: 0, what: type ?? 'media that cannot be read', ...spot };
  const own = inside(spot, type);
  loseKeys(inner, MEDIA, { spot: own, lose });
  const source = isRecord(inner) ? inner['source'] : undefined;
  loseKeys(source, SOURCE, { spot: inside(own, 'source'), lose });
  if (isRecord(source)) loseKeys(source['s3Location'], LOCATION, { spot: inside(own, 'source', 's3Location'), lose });
  return { kind: 'media', characters: 0, media, ...spot };
}

function mediaOf({ format, source, name }: Wire, type: Media['type']): Media | undefined {
  if (!isRecord(source)) return undefined;
  const mime = typeof format === 'string' ? mimeOfEnding(format, type) : undefined;
  const around = { type, ...maybe('mime', mime), ...maybe('name', textOf(name)) };
  const { bytes, text, s3Location: location } = source;
  const url = isRecord(location) ? location['uri'] : undefined;
  if (typeof bytes === 'string') return { ...around, data: bytes };
  if (bytes instanceof Uint8Array) return { ...around, data: bytesToBase64(bytes) };
  if (typeof text === 'string') return { ...around, text };
  return typeof url === 'string' ? { ...around, url } : undefined;
}

/** Reads what a tool returned. */
export function readPieces(content: unknown, spot: Spot, lose: Lose): readonly Piece[] {
  if (!Array.isArray(content)) return toPieces(content);
  return (content as unknown[]).map((piece, i): Piece => {
    const wire: Wire = isRecord(piece) ? piece : {};
    const { text, json } = wire;
    if (typeof text === 'string') return { kind: 'text', text };
    if (json !== undefined && json !== null) return { kind: 'json', value: json };
    const own = inside(spot, i);
    const media = readMember(wire, own, lose);
    if (media.kind === 'media' && media.media !== undefined)
      return { kind: 'media', media: { ...media.media, path: own.path } };
    lose(own, { kind: 'part', what: 'a piece of a result', became: 'text', why: 'only its own dialect has it' });
    return { kind: 'text', text: readableJson(piece) };
  });
}

const FORMATS: Readonly<Record<Media['type'], ReadonlySet<string>>> = {
  image: new Set(['png', 'jpeg', 'gif', 'webp']),
  document: new Set(['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md']),
  video: new Set(['mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp']),
  audio: new Set(['mp3', 'opus', 'wav', 'aac', 'flac', 'mp4', 'ogg', 'mkv']),
};

/** Writes a block of media; undefined for what the API does not take. */
export function writeMedia(media: Media): Wire | undefined {
  const { type, url } = media;
  const format = endingOf(media);
  if (!FORMATS[type].has(format)) return undefined;
  const source = sourceOf(media, url?.startsWith('s3:') === true ? url : undefined);
  if (source === undefined) return undefined;
  return { [type]: { format, ...(type === 'document' ? { name: nameOf(media) } : {}), source } };
}

function sourceOf(media: Media, uri: string | undefined): Wire | undefined {
  if (uri !== undefined) return { s3Location: { uri } };
  const bytes = base64Of(media);
  return bytes === undefined ? undefined : { bytes };
}

/** Names of documents are letters, digits, single spaces, hyphens and brackets; every document has one. */
function nameOf({ name }: Media): string {
  const legal = (name ?? '')
    .replaceAll(/[^a-zA-Z0-9 ()[\]-]+/g, '-')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return legal === '' ? 'document' : legal.slice(0, 200);
}
