import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { CallPart, Media, Message, Part, Piece, Place, ResultPart, Role, Seal } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson } from '../../model/value.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { typeOfMime } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { readableText, salvageMessage, unreadOf } from '../salvage.ts';
import {
  callIdOf,
  dataKey,
  type DataKey,
  fieldOf,
  partCharacters,
  partsIn,
  signatureOf,
  unreadCharacters,
} from './shape.ts';

type Wire = Record<string, unknown>;

/** Who signs the reasoning of this dialect. */
export const MAKER = 'google';

/** Keys that a conversion makes something of. */
const MESSAGE: ReadonlySet<string> = new Set(['role', 'parts']);
const SIGNED: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'thought_signature']);
const CALL: ReadonlySet<string> = new Set(['id', 'name', 'args']);
const RESULT: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts']);
const MEDIA: ReadonlySet<string> = new Set(
  'mimeType mime_type data displayName display_name fileUri file_uri'.split(' '),
);

/** Who speaks in a content; a role that is missing or empty is the user's. */
export function roleOf(role: unknown): Role | undefined {
  if (role === undefined || role === null || role === '' || role === 'user') return 'user';
  if (role === 'model') return 'assistant';
  return role === 'system' ? 'system' : undefined;
}

/** A content that lost its parts, but not what another format would call its content. */
export function hasForeignContent(wire: Wire): boolean {
  const { parts, content, text } = wire;
  if (Array.isArray(parts)) return parts.length === 0 && saysElsewhere(wire, 'parts');
  if (parts !== undefined && parts !== null) return true;
  if ((content !== undefined && content !== null) || typeof text === 'string') return true;
  return saysElsewhere(wire, 'parts') || isPairOrThought(wire);
}

/** True for a content of which there is nothing to read. */
export function isMute(parts: readonly unknown[] | undefined): boolean {
  return parts === undefined || parts.length === 0;
}

/** Reads one content. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  const parts = isRecord(wire) ? partsIn(wire) : undefined;
  if (!isRecord(wire) || role === undefined || (isMute(parts) && hasForeignContent(wire))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: unreadCharacters(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  noting?.loseKeys(wire, MESSAGE);
  const single = isRecord(wire['parts']);
  return { role, parts: readParts(parts ?? [], { role, index, noting, single }), wire, at: index };
}

type Reading = { readonly role: Role; readonly noting?: Noting | undefined };

type Standing = Reading & { readonly index: number; readonly single?: boolean };

/** Reads the parts of a content, whoever speaks. */
function readParts(parts: readonly unknown[], { role, index, noting, single }: Standing): Part[] {
  const found: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let part = 0; part < parts.length; part += 1) {
    const own = noting?.part(part, 'parts', ...(single === true ? [] : [part]));
    found.push(placed(readPart(parts[part], { message: index, part }, { role, noting: own }), own));
  }
  return found;
}

/** Reads a part, also one of the system instruction. */
export function readPart(wire: unknown, at: Place, { role, noting }: Reading): Part {
  if (!isRecord(wire)) return readOther({ wire, at, characters: charactersOf(wire) }, noting);
  const key = dataKey(wire);
  const common = { wire, at, characters: partCharacters(wire, key) };
  noting?.loseKeys(wire, typeof key === 'string' ? new Set([...SIGNED, key]) : SIGNED);
  switch (fieldOf(wire, key)) {
    case 'text':
      return readText(common, { role, noting });
    case 'call':
      return readCall(common, key, noting);
    case 'result':
      return readResult(common, key, noting);
    case 'media':
      return noting === undefined ? { kind: 'media', ...common } : readMedia(common, noting.inside(key ?? ''));
    default:
      return readOther(common, noting);
  }
}

type Common = { readonly wire: Wire; readonly at: Place; readonly characters: number };

function readOther(common: Omit<Common, 'wire'> & { readonly wire: unknown }, noting: Noting | undefined): Part {
  if (noting === undefined) return { kind: 'opaque', ...common };
  const wire: Wire = isRecord(common.wire) ? common.wire : {};
  const what = Object.keys(wire).find((each) => !SIGNED.has(each)) ?? 'a part without content';
  const inner = wire[what];
  if (!isRecord(inner)) return { kind: 'opaque', ...common, what };
  const said = textOf(inner['code']) ?? textOf(inner['output']) ?? readableJson(inner);
  return { kind: 'opaque', ...common, what, text: `[${what}] ${said}` };
}

function readText(common: Common, { role, noting }: Reading): Part {
  const { wire } = common;
  const text = wire['text'] as string;
  const part: Part =
    wire['thought'] !== true || role !== 'assistant'
      ? { kind: 'text', text, ...common }
      : { kind: 'reasoning', text, sealed: signatureOf(wire) !== undefined, ...common };
  return noting === undefined ? part : { ...part, ...maybe('seal', sealOf(wire, noting)) };
}

/** The object that holds a call or a result. */
function innerOf(wire: Wire, key: DataKey): Wire {
  const inner = typeof key === 'string' ? wire[key] : undefined;
  return isRecord(inner) ? inner : {};
}

function readCall(common: Common, key: DataKey, noting: Noting | undefined): CallPart {
  const inner = innerOf(common.wire, key);
  const { name, args: input } = inner;
  const tool = typeof name === 'string' ? name : '';
  const part = { kind: 'call', callId: callIdOf(inner), tool, input, server: false, ...common } as const;
  if (noting === undefined) return part;
  noting.inside(key ?? '').loseKeys(inner, CALL);
  return { ...part, callId: ownId(inner), ...maybe('seal', sealOf(common.wire, noting)) };
}

/** The id that a call or a result names itself; empty where the name of its tool stands for one. */
function ownId({ id }: Wire): string {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'boolean' ? readableJson(id) : '';
}

/** The placeholders that the API takes for a signature when there is none. */
const DUMMIES: ReadonlySet<unknown> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
  'Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv',
  'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
]);

function sealOf(wire: Wire, noting: Noting): Seal | undefined {
  const value = signatureOf(wire);
  if (typeof value !== 'string' || DUMMIES.has(value)) return undefined;
  const key = wire['thoughtSignature'] === value ? 'thoughtSignature' : 'thought_signature';
  return { maker: MAKER, form: 'signature', value, path: noting.inside(key).path };
}

function readResult(common: Common, key: DataKey, noting: Noting | undefined): ResultPart {
  const inner = innerOf(common.wire, key);
  const { name, response, parts } = inner;
  const said = responseText(response);
  const shown = parts === undefined || parts === null ? '' : readableJson(parts);
  const callId = callIdOf(inner);
  const outcome = isRecord(response) && Object.hasOwn(response, 'error') ? 'error' : 'ok';
  const text = shown === '' ? said : `${said}\n${shown}`;
  const named = typeof name === 'string' ? { tool: name } : {};
  const part = { kind: 'result', callId, ...named, outcome, text, server: false, ...common } as const;
  if (noting === undefined) return part;
  const own = noting.inside(key ?? '');
  own.loseKeys(inner, RESULT);
  const pieces = [...responsePieces(response), ...shownPieces(inner, own)];
  return { ...part, callId: ownId(inner), pieces };
}

function shownPieces(inner: Wire, noting: Noting): readonly Piece[] {
  return listIn(inner, 'parts').map((each, i) => {
    const media = isRecord(each) ? mediaOf(each) : undefined;
    return media === undefined
      ? { kind: 'json', value: each }
      : { kind: 'media', media: { ...media, path: noting.inside('parts', i).path } };
  });
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

/** The text of a response that holds nothing else; its JSON otherwise. */
function responseText(response: unknown): string {
  if (response === undefined || response === null) return '';
  if (!isRecord(response)) return readableJson(response);
  const keys = Object.keys(response);
  const only = keys.length === 1 && ANSWERS.has(keys[0]) ? response[String(keys[0])] : undefined;
  return typeof only === 'string' ? only : readableJson(response);
}

const ANSWERS: ReadonlySet<string | undefined> = new Set(['output', 'result', 'error']);

/** Reads a part that shows something for a conversion, which stands inside of it. */
function readMedia(common: Common, inside: Noting): Part {
  const media = mediaOf(common.wire);
  if (media === undefined) return { kind: 'opaque', ...common, what: 'media that cannot be read' };
  inside.loseKeys(heldIn(common.wire), MEDIA);
  return { kind: 'media', ...common, media };
}

function heldIn(wire: Wire): Wire {
  const inline = wire['inlineData'] ?? wire['inline_data'];
  const kept = wire['fileData'] ?? wire['file_data'];
  return isRecord(inline) ? inline : isRecord(kept) ? kept : {};
}

/** The media in a part; undefined where there is none that can be read. */
function mediaOf(wire: Wire): Media | undefined {
  const inner = heldIn(wire);
  const mime = textOf(inner['mimeType'] ?? inner['mime_type']);
  const name = textOf(inner['displayName'] ?? inner['display_name']);
  const around = { type: typeOfMime(mime ?? ''), ...maybe('mime', mime), ...maybe('name', name) };
  const { data } = inner;
  const url = inner['fileUri'] ?? inner['file_uri'];
  if (typeof data === 'string') return { ...around, data };
  return typeof url === 'string' ? { ...around, url } : undefined;
}

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['human', 'user'],
  ['request', 'user'],
  ['function', 'user'],
  ['tool', 'user'],
  ['tool_result', 'user'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['response', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

const CONTENT_KEYS: ReadonlySet<string> = new Set(['role', 'parts']);

/** Whatever can be read of a content in another shape. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const parts = isRecord(wire) ? partsIn(wire) : undefined;
  if (!isRecord(wire) || parts === undefined) return salvageMessage(wire, index, { readParts: adopt, results: 'user' });
  const name = wire['role'];
  const role = typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined;
  const found = readParts(parts, { role: role ?? 'user', index });
  if (found.length === 0) return undefined;
  const own = role === undefined ? found.map(marked) : found;
  return { role: role ?? 'user', parts: own, at: index, ...unreadOf(wire, CONTENT_KEYS) };
}

/** Nobody knows who said it, so it says that of itself. */
function marked(part: Part): Part {
  return part.kind === 'text' ? { ...part, text: `${TEXTS.unreadable} ${part.text}`, edited: true } : part;
}

/** Parts of other formats say their type; what a call or a text is called there is known well enough to be read. */
function adopt(role: Role, parts: readonly unknown[], index: number): Part[] {
  return Array.from(parts, (wire, i) => {
    const at = { message: index, part: i };
    const type = isRecord(wire) ? wire['type'] : undefined;
    const part = isRecord(wire) && typeof type === 'string' ? adoptPart(wire, type, at) : undefined;
    return { ...(part ?? readPart(wire, at, { role })), characters: 0 };
  });
}

function adoptPart(wire: Wire, type: string, at: Place): Part | undefined {
  const { text, id, name, input, content } = wire;
  if (type === 'text' && typeof text === 'string') return textPart(text, 0, at);
  if (type === 'tool_use') {
    const callId = idText(id) ?? '';
    return {
      kind: 'call',
      callId,
      tool: typeof name === 'string' ? name : '',
      input,
      server: false,
      at,
      characters: 0,
    };
  }
  if (type !== 'tool_result') return undefined;
  const callId = idText(wire['tool_use_id']) ?? '';
  const outcome = wire['is_error'] === true ? 'error' : 'ok';
  return { kind: 'result', callId, outcome, text: readableText(content), server: false, at, characters: 0 };
}
