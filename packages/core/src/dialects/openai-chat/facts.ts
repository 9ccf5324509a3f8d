import { idText, isLegalId, isPlainName } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { PartKind, Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isRecord } from '../../model/value.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { isForeignIn, isResultPiece } from '../foreign-piece.ts';
import { checkKeys, checkValue, inspectKeys, reportTally, startTally } from '../scan-value.ts';
import { isSaidElsewhere, namingCharacters, salvageable } from '../salvage.ts';
import {
  ASIDE_KEYS,
  callCharacters,
  calleeKey,
  callsOf,
  isAside,
  isCamelAnswer,
  isPiece,
  pieceKind,
  resultIdOf,
  roleOf,
} from './shape.ts';

type Wire = Record<string, unknown>;

/** Keys that are read one by one. */
const READ_KEYS: ReadonlySet<string> = new Set(['role', 'content']);
const READ_KEYS_OF_ANSWERS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls']);
const READ_KEYS_OF_RESULTS: ReadonlySet<string> = new Set(['role', 'content', 'tool_call_id']);
const CALLEE_KEYS: Readonly<Record<'function' | 'custom', ReadonlySet<string>>> = {
  function: new Set(['function']),
  custom: new Set(['custom']),
};
const NO_KEYS: ReadonlySet<string> = new Set();

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  if (!isRecord(wire)) return scanUnreadable(wire, undefined, sink);
  const role = roleOf(wire['role']);
  if (role === undefined) return scanUnreadable(wire, wire['role'], sink);
  if ((wire['content'] ?? undefined) === undefined && isSaidElsewhere(wire))
    return scanUnreadable(wire, undefined, sink);
  sink.message(role);
  if (sink.deep) checkKeys(wire, isLoneResult(wire, role) ? READ_KEYS_OF_RESULTS : keysRead(wire, role), sink);
  if (sink.deep && sink.profile.unknownKeys === 'strip') scanExtraKeys(wire, role, sink);
  if (role === 'tool') return scanResult(wire, sink);
  if (role === 'system' && !sink.profile.systemRole) sink.fact('system-refused', String(wire['role']));
  if (role === 'assistant' && sink.profile.reasoningField !== undefined) scanReasoningField(wire, sink);
  scanContent(wire, role, sink);
  if (role !== 'assistant') return;
  scanAsides(wire, sink);
  const camel = isCamelAnswer(wire);
  const calls = camel ? wire['toolCalls'] : wire['tool_calls'];
  if (Array.isArray(calls)) for (let i = 0; i < calls.length; i += 1) scanCall(calls[i], camel, sink);
}

function scanUnreadable(wire: unknown, role: unknown, sink: Sink): void {
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

/** A result with its id and nothing else: what is wrong with the id is told of the result alone. */
function isLoneResult(wire: Wire, role: Role): boolean {
  if (role !== 'tool' || typeof wire['tool_call_id'] !== 'string') return false;
  return wire['content'] !== undefined && countKeys(wire) === 3;
}

/** All other keys are carried; they only have to be something that can be sent. */
export function keysRead(wire: Wire, role: Role): ReadonlySet<string> {
  return role === 'assistant' && Array.isArray(wire['tool_calls']) ? READ_KEYS_OF_ANSWERS : READ_KEYS;
}

/** Keys that a provider which refuses all others takes, by role. */
const KNOWN_KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content', 'name']),
  user: new Set(['role', 'content', 'name']),
  assistant: new Set(['role', 'content', 'name', 'tool_calls', 'function_call', 'reasoning']),
  tool: new Set(['role', 'content', 'name', 'tool_call_id']),
};

function scanExtraKeys(wire: Wire, role: Role, sink: Sink): void {
  const extra = Object.keys(wire).filter(
    (key) => KNOWN_KEYS[role]?.has(key) !== true && wire[key] !== undefined && !isToldElsewhere(key, wire),
  );
  if (extra.length > 0) sink.fact('extra-key', extra);
}

/** Keys of an answer that hold more than a store has added, which other facts are about. */
function isToldElsewhere(key: string, wire: Wire): boolean {
  if (key === 'toolCalls') return isCamelAnswer(wire);
  if (key === 'toolCallId') return wire['role'] === 'tool' && (wire['tool_call_id'] ?? undefined) === undefined;
  if (key === 'reasoning_content') return wire['role'] === 'assistant' && wire[key] !== undefined && wire[key] !== null;
  return isRefusedAside(key, wire);
}

/** What an answer says beside its content, under a key that only the vendor's own API has. */
function isRefusedAside(key: string, wire: Wire): boolean {
  return wire['role'] === 'assistant' && (key === 'refusal' || key === 'audio') && isAside(wire, key);
}

/** Some models want their reasoning back with every answer once tools are in play, and some never. */
function scanReasoningField(wire: Wire, sink: Sink): void {
  const there = wire['reasoning_content'] !== undefined && wire['reasoning_content'] !== null;
  if (sink.profile.reasoningField === 'never') {
    if (there) sink.fact('reasoning-field-refused');
    return;
  }
  const { request } = sink;
  const wanted = request === undefined || (request.tools !== undefined && request.reasoningOn);
  if (wanted && typeof wire['reasoning_content'] !== 'string') sink.fact('reasoning-field-missing');
}

function scanEmptyText(wire: Wire, role: Role, sink: Sink): void {
  if (role !== 'assistant' || mayLackContent(wire, role)) return;
  sink.fact(saysMore(wire, role) ? 'null-content' : 'empty-message', 'empty');
}

function scanContent(wire: Wire, role: Role, sink: Sink): void {
  const calls = role === 'assistant' ? wire['tool_calls'] : undefined;
  if (calls !== undefined && hasStrangeCalls(calls)) sink.fact('calls-empty');
  const content = wire['content'];
  if (typeof content === 'string') {
    if (content === '' && sink.profile.emptyText === 'refused') scanEmptyText(wire, role, sink);
    sink.part('text', undefined, false);
    if (sink.deep) scanText(content, sink);
  } else if (Array.isArray(content)) {
    if (content.length > 0) scanPieces(content, role, sink);
    else sink.fact(mayLackContent(wire, role) || saysMore(wire, role) ? 'null-content' : 'empty-message');
  } else if (content === undefined || content === null) {
    const lacks = mayLackContent(wire, role);
    if (sink.profile.contentNeeded !== true && (sink.profile.nullContent || lacks)) return;
    sink.fact(lacks || saysMore(wire, role) ? 'null-content' : 'empty-message');
  } else {
    sink.part('opaque', undefined, false);
    sink.fact('content-unreadable');
    sink.total += charactersOf(content);
  }
}

/** An empty list, or something that is no list at all. */
function hasStrangeCalls(calls: unknown): boolean {
  return calls !== undefined && calls !== null && !isFilled(calls);
}

function isFilled(calls: unknown): boolean {
  return Array.isArray(calls) && calls.length > 0;
}

/** Answers with calls, a refusal or audio need no content. */
function mayLackContent(wire: Wire, role: Role): boolean {
  if (role !== 'assistant') return false;
  if (isFilled(callsOf(wire))) return true;
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) if (isAside(wire, ASIDE_KEYS[i] ?? 'refusal')) return true;
  return false;
}

/** True for a message with something beside its content that would be lost if the message went. */
function saysMore(wire: Wire, role: Role): boolean {
  // The predecessor of results says by its name alone that the tool has ended.
  if (wire['role'] === 'function') return typeof wire['name'] === 'string' && wire['name'] !== '';
  const calls = role === 'assistant' ? wire['tool_calls'] : undefined;
  if (hasStrangeCalls(calls) && !Array.isArray(calls)) return true;
  return saysElsewhere(wire, 'content');
}

function scanText(text: string, sink: Sink): void {
  sink.total += text.length;
  if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanPieces(content: readonly unknown[], role: Role, sink: Sink): void {
  if (role !== 'user' && sink.profile.plainContent === true) sink.fact('content-list');
  for (let i = 0; i < content.length; i += 1) {
    const piece = content[i];
    const kind = pieceKind(piece);
    sink.part(kind, undefined, false);
    if (kind === 'opaque' && isForeignIn(role, piece)) sink.fact('content-unreadable', 'tool_calls');
    else if (!isPiece(piece)) sink.fact('part-unreadable');
    else if (isRefused(piece, role, content.length)) sink.fact('part-refused');
    if (sink.deep) scanPiece(piece, kind, sink);
  }
}

function scanPiece(piece: unknown, kind: PartKind, sink: Sink): void {
  const characters = checkValue(piece, sink);
  sink.total += kind === 'text' ? (piece as { text: string }).text.length : characters - namingCharacters(piece);
}

/** Assistants write text or one refusal; only users show media; calls and results are never pieces of content. */
function isRefused(piece: Wire, role: Role, count: number): boolean {
  const type = piece['type'];
  if (type === 'text') return false;
  if (role === 'assistant') return type !== 'refusal' || count > 1;
  return role !== 'user' && pieceKind(piece) === 'media';
}

function scanAsides(wire: Wire, sink: Sink): void {
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) {
    const key = ASIDE_KEYS[i] ?? 'refusal';
    if (!isAside(wire, key)) continue;
    sink.part('opaque', undefined, false);
    if (sink.profile.unknownKeys === 'strip' && isRefusedAside(key, wire)) sink.fact('part-refused');
    if (sink.deep) sink.total += charactersOf(wire[key]);
  }
}

function scanCall(call: unknown, camel: boolean, sink: Sink): void {
  const wire = isRecord(call) ? call : undefined;
  const id = wire?.['id'];
  sink.part('call', typeof id === 'string' ? id : idText(id), false);
  const { profile } = sink;
  if (profile.toolRole === false) sink.fact('tool-refused');
  if (wire === undefined) {
    sink.fact('part-unreadable');
    sink.total += charactersOf(call);
    return;
  }
  if (!sink.deep) return;
  const { type } = wire;
  if (camel || typeof id !== 'string' || !isLegalId(id, profile)) sink.fact('call-id-malformed');
  const plain = type === 'function';
  if (!plain && type !== 'custom') sink.fact('call-type-missing');
  // A key that was read from the wire itself would be looked up as a text, which is slow.
  const key = plain ? 'function' : calleeKey(wire);
  const own = wire[key];
  const callee = isRecord(own) ? own : undefined;
  const name = callee?.['name'];
  const input = callee?.[key === 'function' ? 'arguments' : 'input'];
  const named =
    typeof name === 'string' && (key === 'function' ? isPlainName(name) : name !== '' && name.isWellFormed());
  if (!named) sink.fact('call-name-malformed');
  const asked = key === 'function' && profile.inputForm === 'object' ? isRecord(input) : typeof input === 'string';
  if (!asked) sink.fact('call-input-malformed');
  if (callee === undefined || !named || typeof input !== 'string') {
    sink.total += callCharacters(wire);
    checkValue(wire, sink);
    return;
  }
  sink.total += name.length + input.length;
  // Most calls have these keys and no others.
  const bare = type !== undefined && typeof id === 'string' && countKeys(wire) === 3 && countKeys(callee) === 2;
  if (bare) {
    if (!id.isWellFormed() || !input.isWellFormed()) sink.fact('lone-surrogate');
    return;
  }
  const tally = startTally(sink);
  inspectKeys(wire, CALLEE_KEYS[key], tally);
  inspectKeys(callee, NO_KEYS, tally);
  reportTally(tally, sink);
}

function scanResult(wire: Wire, sink: Sink): void {
  const { tool_call_id: named, content } = wire;
  const id = typeof named === 'string' ? named : resultIdOf(wire);
  sink.part('result', id, false);
  if (sink.profile.toolRole === false) sink.fact('tool-refused');
  if (id !== undefined && typeof content === 'string' && isPlaceholder(content)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  if (id !== named && id !== undefined) sink.fact('call-id-malformed');
  if (id !== undefined && !id.isWellFormed()) sink.fact('lone-surrogate');
  if (typeof content === 'string') return scanText(content, sink);
  if (Array.isArray(content)) {
    scanResultPieces(content, sink);
  } else if (content !== undefined && content !== null) {
    sink.total += charactersOf(content);
    sink.fact('content-unreadable');
  } else if (!sink.profile.nullContent) {
    sink.fact('null-content');
  }
}

function scanResultPieces(content: readonly unknown[], sink: Sink): void {
  if (content.length === 0) return sink.fact('null-content');
  let media: string[] | undefined;
  let readable = true;
  let pair = false;
  for (let i = 0; i < content.length; i += 1) {
    const piece: unknown = content[i];
    const kind = pieceKind(piece);
    if (!isPiece(piece) || isForeignIn('tool', piece)) readable = false;
    if (kind === 'opaque' && isResultPiece(piece)) pair = true;
    scanPiece(piece, kind, sink);
    if (kind !== 'media') continue;
    media ??= [];
    media.push(String(i));
  }
  if (pair) sink.fact('content-unreadable', 'tool_calls');
  else if (!readable) sink.fact('content-unreadable');
  else if (media !== undefined) sink.fact('part-refused', media);
  else if (sink.profile.plainContent === true) sink.fact('content-list');
}
