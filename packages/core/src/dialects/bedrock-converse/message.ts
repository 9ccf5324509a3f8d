import { idText } from '../../model/call-id.ts';
import type { Message, Part, Place, ResultPart, Role } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isBlank, isRecord, readableJson, readKey, withKeys } from '../../model/value.ts';
import { saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

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
export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? wire['role'] : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  if ((role !== 'user' && role !== 'assistant' && role !== 'system') || !Array.isArray(content)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: unreadCharacters(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (content.length === 0 && saysElsewhere(wire as Wire, 'content')) {
    return unreadMessage(wire as Wire, index, unreadCharacters(wire));
  }
  return { role, parts: readParts(role, content as unknown[], index), wire, at: index };
}

/** Characters of content in a message that cannot be read as it stands; a place to cache is none there either. */
export function unreadCharacters(wire: unknown): number {
  const content = isRecord(wire) ? readKey(wire, 'content') : undefined;
  const parts = Array.isArray(content) ? (content as unknown[]) : [];
  const points = parts.filter((part) => isRecord(part) && memberOf(part) === 'cachePoint');
  return salvageable(wire) - charactersOf(points);
}

export function readParts(role: Role, content: readonly unknown[], index: number): Part[] {
  const parts: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let i = 0; i < content.length; i += 1) parts.push(readPart(content[i], role, { message: index, part: i }));
  return parts;
}

function readPart(wire: unknown, role: Role, at: Place): Part {
  const member = isRecord(wire) ? memberOf(wire) : undefined;
  if (!isRecord(wire) || member === undefined) {
    return { kind: 'opaque', wire, at, characters: strangerCharacters(wire) };
  }
  switch (member) {
    case 'text': {
      const text = String(wire['text']);
      return { kind: 'text', text, wire, at, characters: text.length };
    }
    case 'toolUse':
      return readCall(wire, at);
    case 'toolResult':
      return readResult(wire, role, at);
    case 'reasoningContent':
      return readReasoning(wire, at);
    case 'media':
      return { kind: 'media', wire, at, characters: charactersOf(wire) };
    default:
      // A place to cache is no content.
      return { kind: 'opaque', wire, at, characters: member === 'cachePoint' ? 0 : charactersOf(wire) };
  }
}

function readReasoning(wire: Wire, at: Place): Part {
  const reasoning = inside(wire, 'reasoningContent');
  const thought = thoughtOf(reasoning);
  return {
    kind: 'reasoning',
    text: typeof thought === 'string' ? thought : '',
    sealed: isSealed(reasoning),
    wire,
    at,
    characters: charactersOf(thought),
  };
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

function readCall(wire: Wire, at: Place): Part {
  const call = inside(wire, 'toolUse');
  const { name, input } = call;
  return {
    kind: 'call',
    callId: idOf(call['toolUseId']) ?? '',
    tool: typeof name === 'string' ? name : '',
    input,
    server: isServerCall(call),
    wire,
    at,
    characters: charactersOf(name) + charactersOf(input),
  };
}

function readResult(wire: Wire, role: Role, at: Place): ResultPart {
  const result = inside(wire, 'toolResult');
  const content = result['content'];
  return {
    kind: 'result',
    callId: idOf(result['toolUseId']) ?? '',
    outcome: result['status'] === 'error' ? 'error' : 'ok',
    text: Array.isArray(content) ? (content as unknown[]).map(pieceText).join('\n') : readableJson(content),
    server: isServerResult(result, role),
    wire,
    at,
    characters: resultCharacters(content),
  };
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

/** Writes a message; parts that were not edited go out as they came. */
export function write({ role, parts, wire }: Message): unknown {
  return role === 'unreadable' ? wire : withKeys(wire, { role, content: parts.map(writePart) });
}

function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      return withKeys(wire, { text: part.text });
    case 'call': {
      const fields = { toolUseId: part.callId, name: part.tool, input: part.input };
      return withKeys(wire, { toolUse: withKeys(wire['toolUse'], fields) });
    }
    case 'result':
      return part.wire === undefined
        ? { toolResult: newResult(part) }
        : withKeys(wire, { toolResult: withKeys(wire['toolResult'], { toolUseId: part.callId }) });
    default:
      return part.wire;
  }
}

/** An error has to say something; any other result may be empty, but not hold an empty text. */
function newResult({ callId, text, outcome }: ResultPart): Wire {
  const failed = outcome !== 'ok';
  const said = isBlank(text) && failed ? TEXTS.separator : text;
  const content = isBlank(said) ? [] : [{ text: said }];
  return { toolUseId: callId, content, ...(failed ? { status: 'error' } : {}) };
}
