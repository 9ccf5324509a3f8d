import { isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import type { Codec, ItemKind, Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { divide, hasCallsBeside } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from '../elsewhere.ts';
import { isForeignIn } from '../foreign-piece.ts';
import { withForeign } from '../restore.ts';
import { retellOutput } from '../retell.ts';
import { salvageable } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import {
  ASSISTANT,
  callCharacters,
  callIdOf,
  isMute,
  isNamed,
  isPiece,
  isWritten,
  opaqueCharacters,
  outputCharacters,
  outputOf,
  pieceCharacters,
  pieceKind,
  pointer,
  reasoningCharacters,
  shapeOf,
  type Shape,
  type Wire,
} from './shape.ts';
import { listOf, read, salvage } from './read.ts';
import { request } from './request.ts';
import { write } from './write.ts';

const MAX_ID = 64;
const MAX_NAME = 128;
const MAX_OUTPUT = 10_485_760;
/** Keys that are read by themselves, in a message and in any other entry. */
const CONTENT: ReadonlySet<string> = new Set(['content']);
const NO_KEYS: ReadonlySet<string> = new Set();

/** Reads and writes the input items of the OpenAI Responses API. */
export const openaiResponses: Codec = withForeign({
  dialect: 'openai-responses',
  listKey: 'input',
  results: 'tool',
  listOf,
  scan,
  request,
  read,
  write,
  retell: retellOutput,
  salvage,
  divide,
  pointer,
});

/** Reports who speaks, every part and every fact about them. */
function scan(wire: unknown, sink: Sink): void {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined) return scanUnreadable(wire, sink);
  const { reads, role } = shape;
  sink.message(role);
  const { id } = wire;
  sink.item?.(typeof id === 'string' ? id : undefined, orderOf(wire, shape, sink), programOf(wire, shape));
  if (shape === ASSISTANT && hasCallsBeside(wire)) {
    sink.fact('content-unreadable', 'tool_calls');
    sink.total += salvageable(wire);
    return;
  }
  if (sink.deep) scanKeys(wire, shape, sink);
  if (reads === 'message') {
    if (isMute(wire)) return scanMute(wire, sink);
    return scanContent(wire['content'], role, sink);
  }
  if (shape.family !== undefined) sink.fact('tool-family', shape.family);
  if (reads === 'call') return scanCall(wire, sink);
  if (reads === 'result') return scanResult(wire, sink);
  sink.part(reads, undefined, false);
  if (!sink.deep) return;
  if (reads === 'reasoning') return scanReasoning(wire, sink);
  sink.total += opaqueCharacters(wire);
  if (lacksSomething(wire)) sink.fact('item-incomplete');
  if (isReference(wire) && sink.request?.stored === false) sink.fact('item-lost');
}

/** What an entry is to the ones beside it; a program that is told about by itself is not told about again. */
function orderOf(wire: Wire, { reads, order }: Shape, sink: Sink): ItemKind {
  if (order === 'program') return lacksSomething(wire) ? 'made' : order;
  return isWhole(wire, reads, sink) ? 'whole-thought' : order;
}

/** The id of a program that is whole, or of the one that an output is of. */
function programOf(wire: Wire, { order }: Shape): string | undefined {
  if (order !== 'program' && order !== 'program-output') return undefined;
  return order === 'program' && lacksSomething(wire) ? undefined : callIdOf(wire);
}

/** Sealed reasoning that the provider did not keep: what came of it has no id either. */
function isWhole(wire: Wire, reads: Shape['reads'], sink: Sink): boolean {
  return reads === 'reasoning' && sink.request?.stored === false && typeof wire['encrypted_content'] === 'string';
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  sink.message('unreadable');
  sink.item?.(undefined, 'other');
  const { role, type } = isRecord(wire) ? wire : { role: undefined, type: undefined };
  if (typeof type === 'string' && type !== 'message') sink.fact('role-foreign', type);
  else if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

/** Everything beside the content only has to be something that can be sent; ids and phases have forms of their own. */
function scanKeys(wire: Wire, shape: Shape, sink: Sink): void {
  checkKeys(wire, shape.reads === 'message' ? CONTENT : NO_KEYS, sink);
  const { id, phase } = wire;
  if (id !== undefined && id !== null && !isLegalItemId(id, shape.prefix)) sink.fact('item-id-malformed', shape.prefix);
  if (shape.reads !== 'message' || phase === undefined || phase === null) return;
  if (phase !== 'commentary' && phase !== 'final_answer') sink.fact('extra-key', ['phase']);
}

/** True for an id that the provider may have given to something of this type. */
function isLegalItemId(id: unknown, prefix: string | undefined): boolean {
  if (typeof id !== 'string' || id.length > MAX_ID || !PLAIN_ID.test(id)) return false;
  return prefix === undefined || id.startsWith(prefix);
}

/** A message without content is empty, unless it says something in the form of another dialect. */
function scanMute(wire: Wire, sink: Sink): void {
  if (!saysElsewhere(wire, 'content')) return sink.fact('empty-message');
  sink.fact('content-unreadable', 'elsewhere');
  sink.total += charactersElsewhere(wire, 'content');
}

function scanContent(content: unknown, role: Role, sink: Sink): void {
  if (typeof content === 'string') {
    sink.part('text', undefined, false);
    if (!sink.deep) return;
    sink.total += content.length;
    if (!content.isWellFormed()) sink.fact('lone-surrogate');
  } else if (Array.isArray(content)) {
    for (let i = 0; i < content.length; i += 1) scanPiece(content[i], role, sink);
  } else {
    sink.part('opaque', undefined, false);
    sink.fact('content-unreadable');
    sink.total += charactersOf(content);
  }
}

function scanPiece(piece: unknown, role: Role, sink: Sink): void {
  const kind = pieceKind(piece);
  sink.part(kind, undefined, false);
  if (kind === 'opaque' && isForeignIn(role, piece)) sink.fact('content-unreadable', 'tool_calls');
  else if (!isPiece(piece)) sink.fact('part-unreadable');
  else if (!isTaken(piece, role)) sink.fact('part-mistagged', role === 'assistant' ? 'output_text' : 'input_text');
  if (!sink.deep) return;
  checkValue(piece, sink);
  sink.total += kind === 'text' ? (piece as { text: string }).text.length : pieceCharacters(piece);
}

/** Assistants write texts and refusals; whoever else speaks, and tools, give what begins with `input_`. */
function isTaken(piece: Wire, role: Role): boolean {
  const type = String(piece['type']);
  if (role === 'assistant') return type === 'refusal' || type.startsWith('output_');
  if (!type.startsWith('input_')) return false;
  const data = type === 'input_file' ? piece['file_data'] : undefined;
  return typeof data !== 'string' || !(data.startsWith('data:audio/') || data.startsWith('data:video/'));
}

function scanCall(wire: Wire, sink: Sink): void {
  const id = callIdOf(wire);
  sink.part('call', id, false);
  if (!sink.deep) return;
  sink.total += callCharacters(wire);
  if (id === undefined || typeof wire['call_id'] === 'number' || !isLegalId(id, sink.profile)) {
    sink.fact('call-id-malformed');
  }
  if (!isNamed(wire)) return;
  const { name } = wire;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) sink.fact('call-name-malformed');
  const input = wire['type'] === 'custom_tool_call' ? wire['input'] : wire['arguments'];
  if (typeof input !== 'string') sink.fact('call-input-malformed');
}

function scanResult(wire: Wire, sink: Sink): void {
  const id = callIdOf(wire);
  sink.part('result', id, id === undefined && mayBeNameless(wire, sink));
  const output = outputOf(wire);
  if (id !== undefined && typeof output === 'string' && isPlaceholder(output)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  sink.total += outputCharacters(wire);
  if (isWritten(wire)) scanOutput(wire['output'], sink);
  // Where the call may be one that the provider has kept, nothing else says that it cannot be.
  if (id === undefined) return;
  const strange = sink.request?.chained === true && !isLegalId(id, sink.profile);
  if (strange || typeof wire['call_id'] === 'number') sink.fact('call-id-malformed');
}

/** Since the middle of 2026 the output of a function need not name its call. */
function mayBeNameless(wire: Wire, sink: Sink): boolean {
  if (wire['type'] === 'local_shell_call_output') return true;
  const { call_id: id } = wire;
  const absent = id === undefined || id === null;
  return absent && wire['type'] === 'function_call_output' && sink.profile.namelessResults === true;
}

function scanOutput(output: unknown, sink: Sink): void {
  if (typeof output === 'string') {
    if (output.length > MAX_OUTPUT) sink.fact('output-malformed');
  } else if (!Array.isArray(output) || !areTaken(output)) {
    sink.fact('output-malformed');
  }
}

/** Holes of a list count as pieces, so they are not skipped. */
function areTaken(pieces: readonly unknown[]): boolean {
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i];
    if (!isPiece(piece) || !isTaken(piece, 'tool')) return false;
  }
  return true;
}

function scanReasoning(wire: Wire, sink: Sink): void {
  sink.total += reasoningCharacters(wire);
  const { id, summary, content, encrypted_content: seal } = wire;
  const spoken = content !== undefined && content !== null && !isSilent(content, sink);
  const strange = seal !== undefined && seal !== null && typeof seal !== 'string';
  if (!Array.isArray(summary) || spoken || strange) sink.fact('reasoning-malformed');
  const sealed = typeof seal === 'string' && seal !== '';
  if (!sealed && typeof id === 'string' && sink.request?.stored === false) sink.fact('item-lost');
}

function isSilent(content: unknown, sink: Sink): boolean {
  return Array.isArray(content) && (content.length === 0 || sink.profile.reasoningText === true);
}

/** Among what is carried as it is, only a reference may go without a type. */
function isReference({ type }: Wire): boolean {
  return type === 'item_reference' || type === undefined || type === null;
}

/** True for something of the provider that lost what the provider needs to know it again. */
function lacksSomething(wire: Wire): boolean {
  switch (wire['type']) {
    case 'compaction':
      return typeof wire['encrypted_content'] !== 'string';
    case 'program':
      return typeof wire['fingerprint'] !== 'string' || !isShortId(wire['call_id']);
    case 'item_reference':
      return typeof wire['id'] !== 'string';
    case 'tool_search_call':
    case 'tool_search_output': {
      const { call_id: id } = wire;
      return id !== undefined && id !== null && !isShortId(id);
    }
    default:
      return false;
  }
}

function isShortId(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID;
}
