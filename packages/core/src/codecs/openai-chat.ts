import type { Codec, RequestFacts, Sink } from '../model/codec.ts';
import type { Role } from '../model/part.ts';
import { inspect, isRecord, newTally } from '../model/value.ts';
import {
  ASIDE_KEYS,
  callCharacters,
  calleeKey,
  charactersOf,
  idOf,
  isAside,
  isPiece,
  pieceCharacters,
  pieceKind,
  pointer,
  read,
  resultCharacters,
  roleOf,
  salvage,
  write,
} from './openai-chat-message.ts';
import { salvageable } from './salvage.ts';

type Wire = Record<string, unknown>;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const NO_TOOLS: ReadonlySet<string> = new Set();
const tally = newTally();

/** Reads and writes the message list of the OpenAI Chat Completions API. */
export const openaiChat: Codec = {
  dialect: 'openai-chat',
  listKey: 'messages',
  results: 'tool',
  scan,
  request,
  read,
  write,
  salvage,
  pointer,
};

function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  if (sink.deep) scanKeys(wire, role, sink);
  if (role === 'tool') return scanResult(wire, sink);
  if (role === 'system' && !sink.profile.systemRole) sink.fact('system-refused', String(wire['role']));
  const calls = role === 'assistant' ? wire['tool_calls'] : undefined;
  const calling = Array.isArray(calls) && calls.length > 0;
  if (!calling && calls !== undefined && calls !== null) sink.fact('calls-empty');
  scanContent(wire, { role, calling }, sink);
  if (role !== 'assistant') return;
  scanAsides(wire, sink);
  if (calling) for (let i = 0; i < calls.length; i += 1) scanCall(calls[i], sink);
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? wire['role'] : undefined;
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.characters(salvageable(wire));
}

/** Keys that are not content are carried; they only have to be something that can be sent. */
function scanKeys(wire: Wire, role: Role, sink: Sink): void {
  clearTally();
  for (const key in wire) {
    if (key === 'role' || key === 'content') continue;
    const value = wire[key];
    if (key === 'tool_calls' && role === 'assistant' && Array.isArray(value)) continue;
    if (!key.isWellFormed()) tally.lone = true;
    inspect(value, tally);
  }
  reportTally(sink);
}

function scanContent(wire: Wire, { role, calling }: { role: Role; calling: boolean }, sink: Sink): void {
  const content = wire['content'];
  if (typeof content === 'string') {
    sink.part('text', undefined, false);
    if (sink.deep) scanText(content, sink);
  } else if (Array.isArray(content)) {
    if (content.length > 0) return scanPieces(content, role, sink);
    sink.fact(calling || hasAside(wire, role) || hasThoughts(wire, role) ? 'null-content' : 'empty-message');
  } else if (content === undefined || content === null) {
    if (calling || sink.profile.nullContent || hasAside(wire, role)) return;
    sink.fact(hasThoughts(wire, role) ? 'null-content' : 'empty-message');
  } else {
    sink.part('opaque', undefined, false);
    sink.fact('content-unreadable');
    sink.characters(charactersOf(content));
  }
}

function hasAside(wire: Wire, role: Role): boolean {
  if (role !== 'assistant') return false;
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) if (isAside(wire, ASIDE_KEYS[i] ?? 'refusal')) return true;
  return false;
}

/** Something in an answer without content that would be lost if the answer went. */
function hasThoughts(wire: Wire, role: Role): boolean {
  if (role !== 'assistant') return false;
  const calls = wire['tool_calls'];
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) return true;
  return charactersOf(wire['reasoning_content'] ?? wire['reasoning'] ?? wire['reasoning_details']) > 0;
}

function scanText(text: string, sink: Sink): void {
  sink.characters(text.length);
  if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanPieces(content: readonly unknown[], role: Role, sink: Sink): void {
  for (let i = 0; i < content.length; i += 1) {
    const piece = content[i];
    const kind = pieceKind(piece);
    sink.part(kind, undefined, false);
    if (!isPiece(piece)) sink.fact('part-unreadable');
    else if (isRefused(piece, role, content.length)) sink.fact('part-refused');
    if (!sink.deep) continue;
    sink.characters(pieceCharacters(piece));
    if (isPiece(piece)) scanValue(piece, sink);
  }
}

/** Assistants write text or one refusal; only users show media. */
function isRefused(piece: Wire, role: Role, count: number): boolean {
  const type = piece['type'];
  if (role === 'user' || type === 'text') return false;
  if (role === 'assistant') return type !== 'refusal' || count > 1;
  return pieceKind(piece) === 'media';
}

function scanAsides(wire: Wire, sink: Sink): void {
  for (let i = 0; i < ASIDE_KEYS.length; i += 1) {
    const key = ASIDE_KEYS[i] ?? 'refusal';
    if (!isAside(wire, key)) continue;
    sink.part('opaque', undefined, false);
    if (sink.deep) sink.characters(charactersOf(wire[key]));
  }
}

function scanCall(call: unknown, sink: Sink): void {
  sink.part('call', isRecord(call) ? idOf(call['id']) : undefined, false);
  if (!isRecord(call)) {
    sink.fact('part-unreadable');
    return sink.characters(charactersOf(call));
  }
  if (!sink.deep) return;
  const { id, type } = call;
  const { idPattern, idMax } = sink.profile;
  if (typeof id !== 'string' || id.length > idMax || !idPattern.test(id)) sink.fact('call-id-malformed');
  if (type !== 'function' && type !== 'custom') sink.fact('call-type-missing');
  const key = calleeKey(call);
  const callee = call[key];
  const name = isRecord(callee) ? callee['name'] : undefined;
  const input = isRecord(callee) ? callee[key === 'function' ? 'arguments' : 'input'] : undefined;
  if (typeof name !== 'string' || !NAME.test(name)) sink.fact('call-name-malformed');
  if (typeof input !== 'string') sink.fact('call-input-malformed');
  sink.characters(callCharacters(call));
  scanValue(call, sink);
}

function scanResult(wire: Wire, sink: Sink): void {
  sink.part('result', idOf(wire['tool_call_id']), false);
  if (!sink.deep) return;
  const content = wire['content'];
  if (typeof content === 'string') return scanText(content, sink);
  sink.characters(resultCharacters(content));
  if (Array.isArray(content)) {
    scanResultPieces(content, sink);
  } else if (content !== undefined && content !== null) {
    sink.fact('content-unreadable');
  } else if (!sink.profile.nullContent) {
    sink.fact('null-content');
  }
}

function scanResultPieces(content: readonly unknown[], sink: Sink): void {
  if (content.length === 0) return sink.fact('null-content');
  let media: string[] | undefined;
  let readable = true;
  for (let i = 0; i < content.length; i += 1) {
    const piece = content[i];
    if (!isPiece(piece)) readable = false;
    else scanValue(piece, sink);
    if (pieceKind(piece) !== 'media') continue;
    media ??= [];
    media.push(String(i));
  }
  if (!readable) sink.fact('content-unreadable');
  else if (media !== undefined) sink.fact('part-refused', media);
}

function clearTally(): void {
  tally.characters = 0;
  tally.lone = false;
  tally.broken = false;
  tally.nodes = 0;
}

function reportTally(sink: Sink): void {
  if (tally.broken) sink.fact('value-unserialisable');
  else if (tally.lone) sink.fact('lone-surrogate');
}

function scanValue(value: unknown, sink: Sink): void {
  clearTally();
  inspect(value, tally);
  reportTally(sink);
}

function request(body: Readonly<Wire>): RequestFacts {
  const tools = Array.isArray(body['tools']) ? (body['tools'] as unknown[]) : [];
  return {
    tools: tools.length === 0 ? undefined : new Set(tools.map(toolName)),
    toolCount: tools.length,
    serverTools: NO_TOOLS,
    reasoningRequired: false,
    reasoningOn: false,
    markers: 0,
  };
}

function toolName(tool: unknown): string {
  const callee = isRecord(tool) ? tool[calleeKey(tool)] : undefined;
  return isRecord(callee) ? String(callee['name']) : '';
}
