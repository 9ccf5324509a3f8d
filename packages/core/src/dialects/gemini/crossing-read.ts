import { isNameId } from '../../model/call-id.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { dataKey, signatureOf, wireId } from './part.ts';
import { toPieces } from '../conversion/pieces.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { typeOfMime } from '../conversion/media.ts';

export const MAKER = 'google';

const MESSAGE: ReadonlySet<string> = new Set(['role', 'parts']);
const SIGNED: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'thought_signature']);
const CALL: ReadonlySet<string> = new Set(['id', 'name', 'args']);
const RESULT: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts']);
const MEDIA: ReadonlySet<string> = new Set([
  'mimeType',
  'mime_type',
  'data',
  'displayName',
  'display_name',
  'fileUri',
  'file_uri',
]);

/** Reads what the codec has read of a content. */
export function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  const single = isRecord(wire) && isRecord(wire['parts']);
  const parts = message.parts.map((part, i) => {
    const own = single ? inside(spot, 'parts') : inside(spot, 'parts', i);
    return readPart(part, { ...own, at: { message: at, part: i } }, lose);
  });
  return [{ role, parts: parts.flat(), at, path }];
}

/** The placeholders that the API takes for a signature when there is none. */
const DUMMIES: ReadonlySet<unknown> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
  'Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv',
  'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
]);

function sealOf(wire: Wire, spot: Spot): Seal | undefined {
  const value = signatureOf(wire);
  if (typeof value !== 'string' || DUMMIES.has(value)) return undefined;
  const key = wire['thoughtSignature'] === value ? 'thoughtSignature' : 'thought_signature';
  return { maker: MAKER, form: 'signature', value, path: inside(spot, key).path };
}

/** Reads a part, also one of the system instruction. */
export function readPart(part: Part, spot: Spot, lose: Lose): readonly Part[] {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  const key = dataKey(wire) ?? undefined;
  loseKeys(wire, key === undefined ? SIGNED : new Set([...SIGNED, key]), { spot, lose });
  const seal = maybe('seal', sealOf(wire, spot));
  switch (part.kind) {
    case 'text':
      return [{ ...part, ...seal, ...spot }];
    case 'reasoning':
      return [{ ...part, ...seal, ...spot }];
    case 'call': {
      const inner = key === undefined ? spot : inside(spot, key);
      if (key !== undefined) loseKeys(wire[key], CALL, { spot: inner, lose });
      return [{ ...part, callId: idOf(part.callId), ...seal, ...spot }];
    }
    case 'result':
      return [readResult(part, { wire, key }, { spot, lose })];
    case 'media':
      return [readMedia(wire, spot, lose)];
    case 'opaque':
      return [readOther(wire, spot)];
  }
}

function idOf(callId: string): string {
  if (callId === '' || isNameId(callId)) return '';
  const id = wireId(callId);
  return id === undefined ? '' : readableJson(id);
}

type Held = { readonly wire: Wire; readonly key: string | undefined };

function readResult(part: ResultPart, { wire, key }: Held, { spot, lose }: { spot: Spot; lose: Lose }): Part {
  const inner = key === undefined ? undefined : wire[key];
  const fields: Wire = isRecord(inner) ? inner : {};
  if (key !== undefined) loseKeys(inner, RESULT, { spot: inside(spot, key), lose });
  const { response } = fields;
  const said = part.wire === undefined ? toPieces(part.text) : responsePieces(response);
  const shown = listIn(fields, 'parts').map((each, i): Piece => {
    const media = isRecord(each) ? mediaOf(each) : undefined;
    return media === undefined
      ? { kind: 'json', value: each }
      : { kind: 'media', media: { ...media, path: inside(spot, key ?? '', 'parts', i).path } };
  });
  return { ...part, callId: idOf(part.callId), pieces: [...said, ...shown], ...spot };
}

/** A response that only wraps a text, an error, or a list with texts in it, is what it wraps. */
export function responsePieces(response: unknown): readonly Piece[] {
  if (!isRecord(response)) return toPieces(response);
  const [key, ...more] = Object.keys(response);
  if (key === undefined) return [];
  const only = more.length === 0 && (key === 'result' || key === 'error') ? response[key] : undefined;
  if (typeof only === 'string') return toPieces(only);
  const listed = Array.isArray(only) && only.length > 1 && only.some((each) => typeof each === 'string');
  if (!listed) return [{ kind: 'json', value: response }];
  return (only as unknown[]).map((each) =>
    typeof each === 'string' ? { kind: 'text', text: each } : { kind: 'json', value: each },
  );
}

function readOther(wire: Wire, spot: Spot): Part {
  const key = Object.keys(wire).find((each) => !SIGNED.has(each));
  const what = key ?? 'a part without content';
  const inner = key === undefined ? undefined : wire[key];
  if (!isRecord(inner)) return { kind: 'opaque', characters: 0, what, ...spot };
  const said = textOf(inner['code']) ?? textOf(inner['output']) ?? readableJson(inner);
  return { kind: 'opaque', characters: 0, what, text: `[${what}] ${said}`, ...spot };
}

function readMedia(wire: Wire, spot: Spot, lose: Lose): Part {
  const media = mediaOf(wire);
  const key = dataKey(wire) ?? '';
  if (media === undefined) return { kind: 'opaque', characters: 0, what: 'media that cannot be read', ...spot };
  loseKeys(wire[key], MEDIA, { spot: inside(spot, key), lose });
  return { kind: 'media', characters: 0, media, ...spot };
}

function mediaOf(wire: Wire): Media | undefined {
  const inline = wire['inlineData'] ?? wire['inline_data'];
  const kept = wire['fileData'] ?? wire['file_data'];
  const inner: Wire = isRecord(inline) ? inline : isRecord(kept) ? kept : {};
  const mime = textOf(inner['mimeType'] ?? inner['mime_type']);
  const name = textOf(inner['displayName'] ?? inner['display_name']);
  const around = { type: typeOfMime(mime ?? ''), ...maybe('mime', mime), ...maybe('name', name) };
  const { data } = inner;
  const url = inner['fileUri'] ?? inner['file_uri'];
  if (typeof data === 'string') return { ...around, data };
  return typeof url === 'string' ? { ...around, url } : undefined;
}
