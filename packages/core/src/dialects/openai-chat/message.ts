import { idText } from '../../model/call-id.ts';
import type { CallPart, Message, Part, PartKind, Place, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { isSaidElsewhere, readableText, salvageable, salvageMessage, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** Content that stands beside `content` in an assistant message, in the order in which it is read. */
export const ASIDE_KEYS = ['refusal', 'function_call', 'audio'] as const;

type AsideKey = (typeof ASIDE_KEYS)[number];

/** The wire of a part that is a key of its message, and so can be told from a piece of its content. */
export class Aside {
  readonly key: AsideKey;
  readonly value: unknown;

  constructor(key: AsideKey, value: unknown) {
    this.key = key;
    this.value = value;
  }
}

/** The calls of an answer, also under the spelling of clients in JavaScript, which an API does not know. */
export function callsOf(wire: Wire): unknown {
  return isCamelAnswer(wire) ? wire['toolCalls'] : wire['tool_calls'];
}

/** True for an answer that lists its calls under the other spelling alone. */
export function isCamelAnswer({ role, tool_calls: calls, toolCalls: other }: Wire): boolean {
  return role === 'assistant' && (calls ?? undefined) === undefined && Array.isArray(other) && other.length > 0;
}

/** The id of the call that a result answers, in either spelling. */
export function resultIdOf({ tool_call_id: id, toolCallId: other }: Wire): string | undefined {
  return idText(id ?? other);
}

/** How a role is read; undefined for a role this dialect does not have. */
export function roleOf(role: unknown): Exclude<Role, 'unreadable'> | undefined {
  switch (role) {
    case 'user':
    case 'assistant':
    case 'tool':
    case 'system':
      return role;
    case 'developer':
      return 'system';
    // The predecessor of `tool`, which names no call and so takes part in no pair.
    case 'function':
      return 'user';
    default:
      return undefined;
  }
}

/** True when a key of an assistant message is content by itself. */
export function isAside(wire: Wire, key: AsideKey): boolean {
  const value = wire[key];
  return key === 'refusal' ? typeof value === 'string' : isRecord(value);
}

/** True for an object that says what it is; a text has to be one. */
export function isPiece(piece: unknown): piece is Wire {
  if (!isRecord(piece)) return false;
  const type = piece['type'];
  return type === 'text' ? typeof piece['text'] === 'string' : typeof type === 'string';
}

export function pieceKind(piece: unknown): PartKind {
  if (!isPiece(piece)) return 'opaque';
  switch (piece['type']) {
    case 'text':
      return 'text';
    case 'image_url':
    case 'input_audio':
    case 'file':
      return 'media';
    default:
      return 'opaque';
  }
}

/** The key that holds the name and the input of a call. */
export function calleeKey(call: Wire): 'function' | 'custom' {
  const type = call['type'];
  if (type === 'custom' || type === 'function') return type;
  return isRecord(call['custom']) && !isRecord(call['function']) ? 'custom' : 'function';
}

/** Name and input of a call, wherever they are. */
function calleeOf(call: Wire): { tool: unknown; input: unknown } {
  const key = calleeKey(call);
  const own = call[key];
  const callee = isRecord(own) ? own : ([call['function'], call['custom']].find(isRecord) ?? call);
  const { arguments: text, input } = callee;
  return { tool: callee['name'], input: key === 'custom' ? (input ?? text) : (text ?? input) };
}

export function callCharacters(call: Wire): number {
  const { tool, input } = calleeOf(call);
  return charactersOf(tool) + charactersOf(input);
}

/** Characters of content in one piece: its text, or all of it where it is something else. */
function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || isSaidElsewhere(wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (role === 'tool') return { role, parts: [readResult(wire, index)], wire, at: index };
  const parts = readContent(wire['content'], index);
  if (role === 'assistant') {
    readAsides(wire, index, parts);
    readCalls(callsOf(wire), index, parts);
  }
  return { role, parts, wire, at: index };
}

function readContent(content: unknown, index: number): Part[] {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return readPieces(content as unknown[], index);
  const at = { message: index, part: 0 };
  if (typeof content === 'string') return [textPart(content, content.length, at)];
  return [{ kind: 'opaque', wire: content, at, characters: charactersOf(content) }];
}

function readPieces(content: readonly unknown[], index: number): Part[] {
  return Array.from(content, (wire, part) => {
    const at = { message: index, part };
    const kind = pieceKind(wire);
    const characters = pieceCharacters(wire);
    if (kind === 'text') return { kind, text: (wire as { text: string }).text, wire, at, characters };
    return { kind: kind === 'media' ? kind : 'opaque', wire, at, characters };
  });
}

function readAsides(wire: Wire, index: number, parts: Part[]): void {
  for (const key of ASIDE_KEYS) {
    if (!isAside(wire, key)) continue;
    const at = { message: index, part: parts.length };
    parts.push({ kind: 'opaque', wire: new Aside(key, wire[key]), at, characters: charactersOf(wire[key]) });
  }
}

function readCalls(calls: unknown, index: number, parts: Part[]): void {
  if (!Array.isArray(calls)) return;
  for (const call of calls as unknown[]) parts.push(readCall(call ?? null, { message: index, part: parts.length }));
}

function readCall(wire: unknown, at: Place): CallPart {
  const common = { kind: 'call', server: false, wire, at } as const;
  if (!isRecord(wire)) return { ...common, callId: '', tool: '', input: wire, characters: charactersOf(wire) };
  const { tool, input } = calleeOf(wire);
  const name = typeof tool === 'string' ? tool : '';
  return { ...common, callId: idText(wire['id']) ?? '', tool: name, input, characters: callCharacters(wire) };
}

function readResult(wire: Wire, index: number): ResultPart {
  const content = wire['content'];
  const callId = resultIdOf(wire) ?? '';
  const at = { message: index, part: 0 };
  const tool = wire['name'];
  const text = readableText(content);
  const outcome = outcomeOfText(text);
  const characters = resultCharacters(content);
  return typeof tool === 'string' && tool !== ''
    ? { kind: 'result', callId, tool, outcome, text, server: false, wire, at, characters }
    : { kind: 'result', callId, outcome, text, server: false, wire, at, characters };
}

function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  let count = 0;
  for (const piece of content as unknown[]) count += pieceCharacters(piece);
  return count;
}

export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const result = parts.find((part) => part.kind === 'result');
  if (role === 'tool' && result !== undefined) return writeResult(result);
  const content: Part[] = [];
  const calls: unknown[] = [];
  const changes: Wire = { role: writeRole(message), content: undefined, ...readKeys(wire) };
  for (const part of parts) {
    if (part.kind === 'call') calls.push(writeCall(part));
    else if (part.wire instanceof Aside) writeAside(part.wire, changes, content);
    else content.push(part);
  }
  if (calls.length > 0) changes[callsKey(wire, calls)] = calls;
  const empty = content.length === 0;
  if (empty && hadNoContent(wire)) delete changes['content'];
  else changes['content'] = empty ? null : writeContent(content, isRecord(wire) ? wire['content'] : undefined);
  const same = isRecord(wire) && Object.keys(changes).every((key) => isSame(wire[key], changes[key]));
  return same ? wire : withKeys(wire, changes);
}

/** Refusals of messages that were joined are one; of anything else the last stays where it is read, behind the rest. */
function writeAside({ key, value }: Aside, changes: Wire, content: Part[]): void {
  const before = changes[key];
  if (typeof before === 'string' && before !== '') {
    changes[key] = value === '' ? before : `${before}\n\n${String(value)}`;
    return;
  }
  if (isRecord(before)) content.push(textPart(readableJson(before), charactersOf(before)));
  changes[key] = value;
}

/** Keys that were read as parts: they go unless a part brings them back. */
function readKeys(wire: unknown): Wire {
  const gone: Wire = {};
  if (!isRecord(wire) || wire['role'] !== 'assistant') return gone;
  for (const key of ASIDE_KEYS) if (isAside(wire, key)) gone[key] = undefined;
  const calls = callsOf(wire);
  if (Array.isArray(calls) && calls.length > 0) gone[isCamelAnswer(wire) ? 'toolCalls' : 'tool_calls'] = undefined;
  return gone;
}

/** Where calls are written: where they came from, until one of them has to be another. */
function callsKey(wire: unknown, calls: readonly unknown[]): 'tool_calls' | 'toolCalls' {
  if (!isRecord(wire) || !isCamelAnswer(wire)) return 'tool_calls';
  const came = new Set(wire['toolCalls'] as unknown[]);
  return calls.every((call) => came.has(call)) ? 'toolCalls' : 'tool_calls';
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((each, index) => each === after[index]);
}

function writeRole({ role, wire }: Message): unknown {
  if (isRecord(wire) && roleOf(wire['role']) === role) return wire['role'];
  return role === 'tool' ? 'user' : role;
}

/** Content of which nothing was read is left as it is. */
function hadNoContent(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  const content = wire['content'];
  return content === undefined || content === null || (Array.isArray(content) && content.length === 0);
}

function writeContent(parts: readonly Part[], before: unknown): unknown {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only !== undefined && !Array.isArray(before)) {
    if (only.kind === 'text' && only.wire === undefined) return only.text;
    if (only.wire !== undefined && only.wire === before) return before;
  }
  return parts.map(writePiece);
}

function writePiece(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  return 'text' in part ? withKeys(part.wire, { type: 'text', text: part.text }) : part.wire;
}

function writeResult(part: ResultPart): unknown {
  if (part.wire === undefined) return { role: 'tool', tool_call_id: part.callId, content: part.text };
  if (part.edited !== true) return part.wire;
  const { tool_call_id: id, toolCallId: other } = isRecord(part.wire) ? part.wire : {};
  const spelled = (id ?? undefined) === undefined && other !== undefined ? { toolCallId: undefined } : {};
  return withKeys(part.wire, { role: 'tool', tool_call_id: part.callId, ...spelled });
}

function writeCall(part: CallPart): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  const call = isRecord(part.wire) ? part.wire : {};
  const key = calleeKey(call);
  const input = typeof part.input === 'string' ? part.input : readableJson(part.input ?? {});
  const callee = key === 'custom' ? { name: part.tool, input } : { name: part.tool, arguments: input };
  return withKeys(call, { id: part.callId, type: key, [key]: withKeys(call[key], callee) });
}

/** Content nobody can read becomes text; the calls beside it, and all other keys, stay as they are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || isSaidElsewhere(wire)) {
    return salvageMessage(wire, index, { readParts: (_role, content) => readPieces(content, index), results: 'tool' });
  }
  const content = wire['content'];
  const mended = read(withKeys(wire, { content: readableContent(content) }), index);
  const [first, ...rest] = mended.parts;
  if (first === undefined) return mended;
  const characters = role === 'tool' ? resultCharacters(content) : charactersOf(content);
  return { ...mended, parts: [{ ...first, characters }, ...rest] };
}

function readableContent(content: unknown): unknown {
  if (Array.isArray(content)) return Array.from(content as unknown[], readablePiece);
  return isPiece(content) ? [content] : readableText(content);
}

function readablePiece(piece: unknown): unknown {
  return isPiece(piece) && !isPairOrThought(piece) ? piece : { type: 'text', text: readableText([piece]) };
}

/** How many parts are read from a content. */
function pieceCount(content: unknown): number {
  if (content === undefined || content === null) return 0;
  return Array.isArray(content) ? content.length : 1;
}

/** JSON pointer of a part inside its message; a result is its message. */
export function pointer(wire: unknown, part: number): string {
  if (!isRecord(wire) || wire['role'] === 'tool') return '';
  const content = wire['content'];
  const pieces = pieceCount(content);
  if (part < pieces) return Array.isArray(content) ? `/content/${String(part)}` : '/content';
  const asides = wire['role'] === 'assistant' ? ASIDE_KEYS.filter((key) => isAside(wire, key)) : [];
  const aside = asides[part - pieces];
  const calls = isCamelAnswer(wire) ? 'toolCalls' : 'tool_calls';
  return aside === undefined ? `/${calls}/${String(part - pieces - asides.length)}` : `/${aside}`;
}
