import { bytesToBase64 } from '../../model/base64.ts';
import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { CallPart, Media, Message, Part, Piece, Place, ResultPart, Role, Seal } from '../../model/part.ts';
import { charactersOf, countKeys, isRecord, readableJson, readKey } from '../../model/value.ts';
import { listIn, markOf, maybe, textOf } from '../conversion/keys.ts';
import { mimeOfEnding } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** The reasoning that is signed here is that of Claude, whose signatures are valid on every platform. */
export const MAKER = 'anthropic';
const SERVICE = 'amazon';

/** Keys that a conversion makes something of. */
const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const CALL: ReadonlySet<string> = new Set(['toolUseId', 'name', 'input', 'type']);
const RESULT: ReadonlySet<string> = new Set(['toolUseId', 'content', 'status', 'type']);
const BLOCK: ReadonlySet<string> = new Set(['format', 'source', 'name']);
const SOURCE: ReadonlySet<string> = new Set(['bytes', 's3Location', 'text']);
const LOCATION: ReadonlySet<string> = new Set(['uri']);

/** What a content block is, by the one key of it that says so. */
export type Member = 'toolUse' | 'toolResult' | 'reasoningContent' | 'text' | 'media' | 'cachePoint' | 'other';

const MEDIA = ['image', 'document', 'video', 'audio'] as const;
const OTHERS = ['citationsContent', 'searchResult'] as const;

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The kind of a block; undefined for what is none. Blocks of other APIs say their type and are none here. */
export function memberOf(part: Wire): Member | undefined {
  // Nearly every block is a text and nothing else.
  if (typeof part['text'] === 'string' && countKeys(part) === 1) return 'text';
  if (isThere(part['toolUse'])) return isRecord(part['toolUse']) ? 'toolUse' : undefined;
  if (isThere(part['toolResult'])) return isRecord(part['toolResult']) ? 'toolResult' : undefined;
  if (isThere(part['reasoningContent'])) return isRecord(part['reasoningContent']) ? 'reasoningContent' : undefined;
  if (isThere(part['text'])) return typeof part['text'] === 'string' ? 'text' : undefined;
  for (let i = 0; i < MEDIA.length; i += 1) if (isThere(part[MEDIA[i] ?? 'image'])) return 'media';
  if (isThere(part['guardContent'])) return 'other';
  if (isThere(part['cachePoint'])) return 'cachePoint';
  for (const key of OTHERS) if (isThere(part[key])) return 'other';
  if (typeof part['type'] === 'string') return undefined;
  for (const key in part) if (Object.hasOwn(part, key) && isThere(part[key])) return 'other';
  return undefined;
}

/** The object under the key that says what a block is. */
function inside(part: Wire, key: 'toolUse' | 'toolResult' | 'reasoningContent'): Wire {
  return part[key] as Wire;
}

/** The service runs some tools itself and leaves both call and result with the assistant. */
export function isServerCall(call: Wire): boolean {
  return call['type'] === 'server_tool_use';
}

export function isServerResult(result: Wire, role: Role): boolean {
  return role === 'assistant' && typeof result['type'] === 'string';
}

/** An empty id names nothing. */
export function idOf(id: unknown): string | undefined {
  const text = idText(id);
  return text === '' ? undefined : text;
}

/** The text of reasoning that can be read. */
export function thoughtOf(reasoning: Wire): unknown {
  const said = reasoning['reasoningText'];
  return isRecord(said) ? said['text'] : said;
}

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const role = isRecord(wire) ? wire['role'] : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  if ((role !== 'user' && role !== 'assistant' && role !== 'system') || !Array.isArray(content)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: unreadCharacters(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (content.length === 0 && saysElsewhere(wire as Wire, 'content')) {
    return unreadMessage(wire as Wire, index, unreadCharacters(wire));
  }
  noting?.loseKeys(wire, MESSAGE);
  return { role, parts: readParts(content as unknown[], { role, index, noting }), wire, at: index };
}

/** Characters of content in a message that cannot be read as it stands; a place to cache is none there either. */
export function unreadCharacters(wire: unknown): number {
  const content = isRecord(wire) ? readKey(wire, 'content') : undefined;
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  const points = parts.filter((part) => isRecord(part) && memberOf(part) === 'cachePoint');
  return salvageable(wire) - charactersOf(points);
}

type Reading = { readonly role: Role; readonly noting?: Noting | undefined };

export function readParts(
  content: readonly unknown[],
  { role, index, noting }: Reading & { readonly index: number },
): Part[] {
  const parts: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let part = 0; part < content.length; part += 1) {
    const own = noting?.part(part, 'content', part);
    parts.push(placed(readPart(content[part], { message: index, part }, { role, noting: own }), own));
  }
  return parts;
}

/** Reads a part, also one of the system field. */
export function readPart(wire: unknown, at: Place, { role, noting }: Reading): Part {
  const member = isRecord(wire) ? memberOf(wire) : undefined;
  if (!isRecord(wire) || member === undefined) {
    return readOther({ wire, at, characters: strangerCharacters(wire) }, noting);
  }
  switch (member) {
    case 'text': {
      const text = String(wire['text']);
      return { kind: 'text', text, wire, at, characters: text.length };
    }
    case 'toolUse':
      return readCall(wire, at, noting);
    case 'toolResult':
      return readResult(wire, at, { role, noting });
    case 'reasoningContent':
      return readReasoning(wire, at, noting);
    case 'media': {
      const common = { wire, at, characters: charactersOf(wire) };
      return noting === undefined ? { kind: 'media', ...common } : readMedia(common, noting);
    }
    default:
      // A place to cache is no content.
      return readOther({ wire, at, characters: member === 'cachePoint' ? 0 : charactersOf(wire) }, noting);
  }
}

type Common = { readonly wire: unknown; readonly at: Place; readonly characters: number };

function readOther(common: Common, noting: Noting | undefined): Part {
  if (noting === undefined) return { kind: 'opaque', ...common };
  const wire: Wire = isRecord(common.wire) ? common.wire : {};
  if (wire['cachePoint'] !== undefined) {
    const mark = markOf(wire['cachePoint'], noting) ?? { path: noting.path };
    return { kind: 'opaque', ...common, what: 'a cache point', mark };
  }
  const [what = 'a part that cannot be read'] = Object.keys(wire);
  const inner = wire[what];
  const guarded = isRecord(inner) && isRecord(inner['text']) ? inner['text'] : inner;
  const own = isRecord(guarded) ? textOf(guarded['text']) : undefined;
  const texts = listIn(inner, 'content').flatMap((each) => (isRecord(each) ? (textOf(each['text']) ?? []) : []));
  const text = own ?? (texts.length === 0 ? undefined : texts.join('\n'));
  return { kind: 'opaque', ...common, what, ...maybe('text', text) };
}

function readReasoning(wire: Wire, at: Place, noting: Noting | undefined): Part {
  const reasoning = inside(wire, 'reasoningContent');
  const thought = thoughtOf(reasoning);
  const text = typeof thought === 'string' ? thought : '';
  const characters = charactersOf(thought);
  const part = { kind: 'reasoning', text, sealed: isSealed(reasoning), wire, at, characters } as const;
  return noting === undefined ? part : { ...part, ...maybe('seal', sealOf(reasoning)) };
}

/** True for reasoning that carries the signature, or the encrypted form, it was given out with. */
export function isSealed(reasoning: Wire): boolean {
  const said = reasoning['reasoningText'];
  if (!isRecord(said)) return isFilled(reasoning['redactedContent']);
  return typeof said['text'] === 'string' && isFilled(said['signature']);
}

function isFilled(seal: unknown): boolean {
  return typeof seal === 'string' && seal !== '' && seal.isWellFormed();
}

function sealOf({ reasoningText: said, redactedContent: data }: Wire): Seal | undefined {
  const value = isRecord(said) ? said['signature'] : undefined;
  if (typeof value === 'string' && value !== '') return { maker: MAKER, form: 'signature', value };
  return typeof data === 'string' ? { maker: MAKER, form: 'redacted', value: data } : undefined;
}

function readCall(wire: Wire, at: Place, noting: Noting | undefined): CallPart {
  const call = inside(wire, 'toolUse');
  const { name, input } = call;
  const callId = idOf(call['toolUseId']) ?? '';
  const tool = typeof name === 'string' ? name : '';
  const server = isServerCall(call);
  const characters = charactersOf(name) + charactersOf(input);
  const part = { kind: 'call', callId, tool, input, server, wire, at, characters } as const;
  if (noting === undefined) return part;
  noting.inside('toolUse').loseKeys(call, CALL);
  return server ? { ...part, runner: SERVICE } : part;
}

function readResult(wire: Wire, at: Place, { role, noting }: Reading): ResultPart {
  const result = inside(wire, 'toolResult');
  const { content, status } = result;
  const callId = idOf(result['toolUseId']) ?? '';
  const outcome = status === 'error' ? 'error' : 'ok';
  const text = Array.isArray(content) ? (content as unknown[]).map(pieceText).join('\n') : readableJson(content);
  const server = isServerResult(result, role);
  const characters = resultCharacters(content);
  const part = { kind: 'result', callId, outcome, text, server, wire, at, characters } as const;
  if (noting === undefined) return part;
  const own = noting.inside('toolResult');
  own.loseKeys(result, RESULT);
  return { ...part, pieces: readPieces(content, own.inside('content')), ...(server ? { runner: SERVICE } : {}) };
}

export function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  let count = 0;
  for (const piece of content as unknown[]) count += charactersOf(isText(piece) ? piece.text : piece);
  return count;
}

function isText(piece: unknown): piece is { text: string } {
  return isRecord(piece) && typeof piece['text'] === 'string';
}

function pieceText(piece: unknown): string {
  return isText(piece) ? piece.text : readableJson(isRecord(piece) ? (piece['json'] ?? piece) : piece);
}

/** Reads what a tool returned. */
function readPieces(content: unknown, noting: Noting): readonly Piece[] {
  return Array.isArray(content)
    ? (content as unknown[]).map((piece, i) => readPiece(piece, noting.inside(i)))
    : toPieces(content);
}

function readPiece(piece: unknown, noting: Noting): Piece {
  const wire: Wire = isRecord(piece) ? piece : {};
  const { text, json } = wire;
  if (typeof text === 'string') return { kind: 'text', text };
  if (json !== undefined && json !== null) return { kind: 'json', value: json };
  const media = mediaIn(wire, noting);
  if (media !== undefined) return { kind: 'media', media: { ...media, path: noting.path } };
  noting.lose({ kind: 'part', what: 'a piece of a result', became: 'text', why: 'only its own dialect has it' });
  return { kind: 'text', text: readableJson(piece) };
}

/** Reads a block that shows something for a conversion. */
function readMedia(common: Common & { readonly wire: Wire }, noting: Noting): Part {
  const media = mediaIn(common.wire, noting);
  if (media !== undefined) return { kind: 'media', ...common, media };
  return { kind: 'opaque', ...common, what: typeIn(common.wire) ?? 'media that cannot be read' };
}

function typeIn(wire: Wire): Media['type'] | undefined {
  return MEDIA.find((key) => isRecord(wire[key]));
}

/** The media in a block; undefined where there is none that can be read. */
function mediaIn(wire: Wire, noting: Noting): Media | undefined {
  const type = typeIn(wire);
  if (type === undefined) return undefined;
  const block = wire[type] as Wire;
  const media = mediaOf(block, type);
  if (media === undefined) return undefined;
  const own = noting.inside(type);
  own.loseKeys(block, BLOCK);
  const source = block['source'] as Wire;
  own.inside('source').loseKeys(source, SOURCE);
  own.inside('source', 's3Location').loseKeys(source['s3Location'], LOCATION);
  return media;
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
