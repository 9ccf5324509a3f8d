import { idText, isLegalId, isPlainName } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isRecord } from '../../model/value.ts';
import { charactersElsewhere } from '../elsewhere.ts';
import { isForeignIn, isResultPiece } from '../foreign-piece.ts';
import { keysRead } from '../openai-chat/facts.ts';
import {
  ASIDE_KEYS,
  callCharacters,
  callsOf,
  isAside,
  isCamelAnswer,
  isPiece,
  resultIdOf,
} from '../openai-chat/shape.ts';
import { isSaidElsewhere, namingCharacters, salvageable } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import { chunkKind, isRole, isSilent, isUnread } from './read.ts';

type Wire = Record<string, unknown>;

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  if (!isRecord(wire)) return scanUnreadable(wire, undefined, sink);
  const role = wire['role'];
  if (!isRole(role)) return scanUnreadable(wire, role, sink);
  if ((wire['content'] ?? undefined) === undefined && isSaidElsewhere(wire))
    return scanUnreadable(wire, undefined, sink);
  sink.message(role);
  if (isSilent(wire['content']) && isUnread(wire)) {
    sink.fact('content-unreadable', 'elsewhere');
    sink.total += charactersElsewhere(wire, 'content');
    return;
  }
  if (sink.deep) checkKeys(wire, keysRead(wire, role), sink);
  if (role === 'tool') return scanResult(wire, sink);
  const camel = isCamelAnswer(wire);
  const calls = role === 'assistant' ? wire[camel ? 'toolCalls' : 'tool_calls'] : undefined;
  if (role === 'assistant') scanAnswer(wire, calls, sink);
  scanContent(wire['content'], role, sink);
  if (role !== 'assistant') return;
  scanAsides(wire, sink);
  if (Array.isArray(calls)) for (let i = 0; i < calls.length; i += 1) scanCall(calls[i], camel, sink);
}

function scanUnreadable(wire: unknown, role: unknown, sink: Sink): void {
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

/** Facts about an answer as a whole: a mark that it is to be continued, and whether it says anything. */
function scanAnswer(wire: Wire, calls: unknown, sink: Sink): void {
  if (wire['prefix'] === true) sink.fact('prefix-set');
  const listed = Array.isArray(calls);
  if (!listed && calls !== undefined && calls !== null) sink.fact('calls-empty');
  else if (isMute(wire, calls) && !hasAside(wire)) sink.fact('empty-message');
}

/** True for an answer that neither says nor calls anything, as this API reads it. */
function isMute(wire: Wire, calls: unknown): boolean {
  return (!Array.isArray(calls) || calls.length === 0) && isSilent(wire['content']);
}

function hasAside(wire: Wire): boolean {
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) if (isAside(wire, ASIDE_KEYS[i] ?? 'refusal')) return true;
  return false;
}

function isMissing(content: unknown): boolean {
  return content === undefined || content === null;
}

function scanContent(content: unknown, role: Role, sink: Sink): void {
  if (typeof content === 'string') {
    sink.part('text', undefined, false);
    return sink.deep ? scanText(content, sink) : undefined;
  }
  if (Array.isArray(content)) {
    if (content.length === 0 && role !== 'assistant') sink.fact('empty-message');
    for (let i = 0; i < content.length; i += 1) scanPiece(content[i], role, sink);
  } else if (!isMissing(content)) {
    sink.part('opaque', undefined, false);
    sink.fact('content-unreadable');
    sink.total += charactersOf(content);
  } else if (role !== 'assistant') sink.fact('empty-message');
}

function scanText(text: string, sink: Sink): void {
  sink.total += text.length;
  if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanPiece(piece: unknown, role: Role, sink: Sink): void {
  const kind = isPiece(piece) ? chunkKind(piece) : 'opaque';
  sink.part(kind, undefined, false);
  if (kind === 'opaque' && isForeignIn(role, piece)) sink.fact('content-unreadable', 'tool_calls');
  else if (!isPiece(piece)) sink.fact('part-unreadable');
  else if (isRefused(kind, role, sink)) sink.fact('part-refused');
  if (sink.deep) weigh(piece, sink);
}

/** Only users show media; only the assistant thinks, and only some models take it back. */
function isRefused(kind: string, role: Role, sink: Sink): boolean {
  if (kind === 'reasoning') return role !== 'assistant' || sink.profile.reasoningParts === false;
  return kind === 'media' && role !== 'user';
}

function weigh(piece: unknown, sink: Sink): void {
  const characters = checkValue(piece, sink);
  const readable = isPiece(piece) && piece['type'] === 'text';
  sink.total += readable ? String(piece['text']).length : characters - namingCharacters(piece);
}

function scanAsides(wire: Wire, sink: Sink): void {
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) {
    const key = ASIDE_KEYS[i] ?? 'refusal';
    if (!isAside(wire, key)) continue;
    sink.part('opaque', undefined, false);
    // Beside content it is a key like any other, but it is no content of its own here.
    if (isMute(wire, callsOf(wire))) sink.fact('part-refused');
    if (sink.deep) sink.total += charactersOf(wire[key]);
  }
}

function scanResult(wire: Wire, sink: Sink): void {
  const { tool_call_id: named, content, name } = wire;
  const id = typeof named === 'string' ? named : resultIdOf(wire);
  sink.part('result', id, false);
  if (id !== undefined && typeof content === 'string' && isPlaceholder(content)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  if (id !== named && id !== undefined) sink.fact('call-id-malformed');
  if (typeof name === 'string' && !isPlainName(name)) sink.fact('result-name-malformed', name);
  if (typeof content === 'string') return scanText(content, sink);
  if (Array.isArray(content)) return scanResultPieces(content, sink);
  sink.total += charactersOf(content);
  sink.fact(isMissing(content) ? 'null-content' : 'content-unreadable');
}

function scanResultPieces(content: readonly unknown[], sink: Sink): void {
  if (content.length === 0) return sink.fact('null-content');
  const refused: string[] = [];
  let readable = true;
  let pair = false;
  for (let i = 0; i < content.length; i += 1) {
    const piece = content[i];
    weigh(piece, sink);
    if (isResultPiece(piece)) pair = true;
    if (!isPiece(piece) || isForeignIn('tool', piece)) readable = false;
    else if (isRefused(chunkKind(piece), 'tool', sink)) refused.push(String(i));
  }
  if (pair) sink.fact('content-unreadable', 'tool_calls');
  else if (!readable) sink.fact('content-unreadable');
  else if (refused.length > 0) sink.fact('part-refused', refused);
}

/** Reads one call of an answer; a list in the spelling of another API holds none that can be sent as it is. */
function scanCall(call: unknown, camel: boolean, sink: Sink): void {
  sink.part('call', isRecord(call) ? idText(call['id']) : undefined, false);
  if (!isRecord(call)) {
    sink.fact('part-unreadable');
    sink.total += charactersOf(call);
    return;
  }
  if (!sink.deep) return;
  const { id, function: callee } = call;
  if (camel || typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  const name = isRecord(callee) ? callee['name'] : undefined;
  const input = isRecord(callee) ? callee['arguments'] : undefined;
  const named = typeof name === 'string' && isPlainName(name);
  if (!named) sink.fact('call-name-malformed');
  if (typeof input !== 'string' && !isRecord(input)) sink.fact('call-input-malformed');
  if (named && typeof input === 'string' && isPlainCall(call, callee as Wire) && input.isWellFormed()) {
    sink.total += name.length + input.length;
    return;
  }
  sink.total += callCharacters(call);
  checkValue(call, sink);
}

/** True for a call whose other keys are its id, its type and its number. */
function isPlainCall(call: Wire, callee: Wire): boolean {
  const { id, type, index } = call;
  if (typeof id !== 'string' || !id.isWellFormed() || countKeys(callee) !== 2) return false;
  return countKeys(call) === (type === 'function' ? 3 : 2) + (typeof index === 'number' ? 1 : 0);
}
