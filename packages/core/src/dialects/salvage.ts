import { idText } from '../model/call-id.ts';
import type { Message, Part, ResultPart, Role } from '../model/part.ts';
import { textPart } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import { charactersOf, isBlank, isRecord, readableJson, readKey } from '../model/value.ts';
import { besideCharacters, callsBeside, callsKey, readBeside, weighed } from './calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from './elsewhere.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['request', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['response', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['tool_result', 'tool'],
]);

type Reading = {
  /** Reads a list of parts as the dialect would, for a role it knows. */
  readonly readParts: (role: Role, content: readonly unknown[], index: number) => readonly Part[];
  /** The role of the message that carries results. */
  readonly results: 'user' | 'tool';
  /** Characters of content in the message, where the dialect does not count all that `salvageable` counts. */
  readonly weigh?: (wire: unknown) => number;
};

/** Whatever can be read of a message in no known shape: its text, its calls, its result. */
export function salvageMessage(wire: unknown, index: number, reading: Reading): Message | undefined {
  const total = (reading.weigh ?? salvageable)(wire);
  const found = isRecord(wire) ? salvageRecord(wire, index, reading) : quoted(wire, index);
  if (found === undefined || found.parts.length === 0) return undefined;
  return { ...found, parts: weighed(found.parts, total), ...(isRecord(wire) ? unreadOf(wire, keysRead(wire)) : {}) };
}

/** The keys of a message of which nothing is made, but for those that hold nothing; absent where there are none. */
export function unreadOf(wire: Record<string, unknown>, known: ReadonlySet<string>): Pick<Message, 'unread'> {
  const unread = Object.keys(wire).filter((key) => !known.has(key) && isFilled(readKey(wire, key)));
  return unread.length === 0 ? {} : { unread };
}

/** The keys of a message of which `salvageMessage` makes something, and those that only say who speaks. */
function keysRead(wire: Record<string, unknown>): ReadonlySet<string> {
  const role = roleOf(wire);
  if (role === undefined && quotable(wire) === wire) return new Set(Object.keys(wire));
  const keys = new Set(['role', 'kind', 'type', contentKey(wire) ?? 'content']);
  if (role === 'tool') for (const key of [...RESULT_KEYS, resultIdKey(wire) ?? 'id']) keys.add(key);
  else if (role !== undefined) keys.add(callsKey(wire));
  return keys;
}

/** Characters of content in a message in no known shape. */
export function salvageable(wire: unknown): number {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  const said = isRecord(wire) ? (role === undefined ? quotable(wire) : contentOf(wire)) : wire;
  const calls = isRecord(wire) && role !== undefined ? callsBeside(wire) : [];
  const read = saidCharacters(said) + besideCharacters(calls);
  return read === 0 && isRecord(wire) && role !== undefined ? charactersElsewhere(wire, '') : read;
}

function saidCharacters(said: unknown): number {
  if (!Array.isArray(said)) return strangerCharacters(said);
  return (said as unknown[]).reduce((sum: number, piece) => sum + strangerCharacters(piece), 0);
}

/** Characters of content in a piece nobody can read. */
export function strangerCharacters(piece: unknown): number {
  return charactersOf(piece) - namingCharacters(piece);
}

/** A text without its text says nothing by being called one. */
export function namingCharacters(piece: unknown): number {
  const type = isRecord(piece) ? readKey(piece, 'type') : undefined;
  return typeof type === 'string' && type.endsWith('text') ? type.length : 0;
}

function roleOf(wire: Record<string, unknown>): Role | undefined {
  return roleNamed(readKey(wire, 'role') ?? readKey(wire, 'kind') ?? readKey(wire, 'type'));
}

/** Who speaks, by the name that any format has for it, in letters of any case. */
export function roleNamed(name: unknown): Role | undefined {
  return typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined;
}

const CONTENT_KEYS = ['content', 'parts', 'text', 'message'] as const;

function contentKey(wire: Record<string, unknown>): string | undefined {
  return CONTENT_KEYS.find((key) => isThere(readKey(wire, key)));
}

function contentOf(wire: Record<string, unknown>): unknown {
  return readKey(wire, contentKey(wire) ?? 'content');
}

/** What an answer may say instead of words, or beside them. */
const ASIDES = ['tool_calls', 'function_call', 'refusal', 'audio', 'reasoning_content', 'reasoning'] as const;

/** True for words that stand only under a key of another format. */
export function isSaidElsewhere(wire: Record<string, unknown>): boolean {
  const role = wire['role'];
  if (isThere(wire['content'])) return false;
  if (role === 'assistant' && ASIDES.some((key) => isThere(wire[key]))) return false;
  if (role !== 'assistant' && role !== 'user' && role !== 'system' && role !== 'developer') return false;
  return charactersOf(contentOf(wire)) > 0;
}

/** What is worth quoting of a message that does not say who speaks: its content, or all of it if there is more. */
function quotable(wire: Record<string, unknown>): unknown {
  const content = contentOf(wire);
  // Nothing where the words would be is no content, unless there are words elsewhere.
  const empty = content === null ? saysElsewhere(wire, 'content') : !isFilled(content);
  const calls = readKey(wire, 'tool_calls') ?? readKey(wire, 'toolCalls');
  return empty || (calls !== undefined && calls !== null) ? wire : content;
}

function salvageRecord(wire: Record<string, unknown>, index: number, reading: Reading): Message | undefined {
  const role = roleOf(wire);
  const content = contentOf(wire);
  if (role === 'tool') return salvageResult(wire, content, { index, reading });
  if (role === undefined) {
    const value = quotable(wire);
    return quoted(value === wire ? readableJson(wire) : value, index);
  }
  const texts = salvageContent(role, content, { index, reading });
  const calls = role === 'assistant' ? readBeside(callsBeside(wire)) : quotedCalls(callsBeside(wire), index);
  const parts = [...texts, ...calls];
  return parts.length === 0 ? undefined : { role, parts, at: index };
}

/** Calls beside the words of somebody who cannot call are only worth reading. */
export function quotedCalls(calls: readonly unknown[], index: number): readonly Part[] {
  return calls.length === 0 ? [] : [textPart(`${TEXTS.unreadable} ${readableText(calls)}`, 0, { message: index })];
}

function salvageContent(role: Role, content: unknown, { index, reading }: Context): readonly Part[] {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return reading.readParts(role, content as unknown[], index);
  if (isRecord(content) && typeof content['type'] === 'string') return reading.readParts(role, [content], index);
  const text = readableText(content);
  return isBlank(text) ? [] : [textPart(text, 0, { message: index })];
}

const isFilled = (value: unknown): boolean =>
  isThere(value) && value !== '' && !(Array.isArray(value) && value.length === 0);

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

type Context = { readonly index: number; readonly reading: Reading };

function salvageResult(wire: Record<string, unknown>, content: unknown, { index, reading }: Context): Message {
  const own = Array.isArray(content) ? reading.readParts(reading.results, content as unknown[], index) : [];
  // Results in the form of the dialect need only another role.
  if (own.length > 0 && own.every(isResult)) return { role: reading.results, parts: own, at: index };
  const id = readKey(wire, resultIdKey(wire) ?? 'id');
  const tool = readKey(wire, 'name');
  const result: ResultPart = {
    kind: 'result',
    callId: idText(id) ?? '',
    ...(typeof tool === 'string' && tool !== '' ? { tool } : {}),
    outcome: saysFailed(wire) ? 'error' : 'ok',
    text: readableText(content),
    server: false,
    at: { message: index, part: 0 },
    characters: 0,
  };
  return { role: reading.results, parts: [result], at: index };
}

/** Where a result may say how its call ended, and which tool was called. */
const RESULT_KEYS = ['name', 'status', 'is_error', 'isError'] as const;
const RESULT_IDS = ['tool_call_id', 'tool_use_id', 'toolCallId', 'id'] as const;

function resultIdKey(wire: Record<string, unknown>): string | undefined {
  return RESULT_IDS.find((key) => isThere(readKey(wire, key)));
}

function isResult(part: Part): boolean {
  return part.kind === 'result' && !part.server;
}

/** True for a result that is called an error in any of the ways there are. */
function saysFailed(wire: Record<string, unknown>): boolean {
  const status = readKey(wire, 'status');
  return (
    status === 'error' || status === 'failed' || readKey(wire, 'is_error') === true || readKey(wire, 'isError') === true
  );
}

function quoted(value: unknown, index: number): Message | undefined {
  const text = readableText(value);
  if (isBlank(text) || text === '{}' || text === '[]' || text === 'null') return undefined;
  return { role: 'user', parts: [textPart(`${TEXTS.unreadable} ${text}`, 0, { message: index })], at: index };
}

/** The text in a value: itself, the texts of its pieces, or its JSON. */
export function readableText(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return (value as unknown[]).map(pieceText).filter(Boolean).join('\n');
  return pieceText(value);
}

function pieceText(piece: unknown): string {
  if (!isRecord(piece)) return piece === null ? '' : readableJson(piece);
  const text = readKey(piece, 'text') ?? readKey(piece, 'content');
  return typeof text === 'string' ? text.toWellFormed() : readableJson(piece);
}
