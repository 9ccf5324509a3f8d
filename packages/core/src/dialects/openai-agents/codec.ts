import { isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import type { Codec, RequestFacts, Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { isRecord } from '../../model/value.ts';
import { divide } from '../calls-beside.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { listOf } from '../openai-responses/read.ts';
import { withForeign } from '../restore.ts';
import { retellOutput } from '../retell.ts';
import { salvageable } from '../salvage.ts';
import { checkValue } from '../scan-value.ts';
import { read, salvage } from './read.ts';
import {
  callCharacters,
  callIdOf,
  isAllowed,
  isBeside,
  isFunction,
  isNamedRightly,
  isOutput,
  isPiece,
  isReadable,
  itemIdOf,
  lacksSomething,
  opaqueCharacters,
  outputCharacters,
  outputOf,
  pieceCharacters,
  pieceKind,
  pointer,
  shapeOf,
  strayCharacters,
  thoughtCharacters,
  type Shape,
  type Wire,
} from './shape.ts';
import { write } from './write.ts';

const NOTHING_DECLARED: RequestFacts = {
  tools: undefined,
  toolCount: 0,
  serverTools: new Set(),
  reasoningRequired: false,
  reasoningOn: false,
  markers: 0,
};
const MAX_ID = 64;
const MAX_NAME = 128;

/** Reads and writes the items of the OpenAI Agents SDK for JavaScript; those of the Python SDK are the API's own. */
export const openaiAgents: Codec = withForeign({
  dialect: 'openai-agents',
  listKey: 'input',
  results: 'tool',
  listOf,
  scan,
  request: () => NOTHING_DECLARED,
  read,
  write,
  retell: retellOutput,
  salvage,
  divide,
  pointer,
});

/** The id of a program that is whole, or of the one that an output is of. */
function programOf(wire: Wire): string | undefined {
  const { type } = wire;
  if (type !== 'program_output' && (type !== 'program' || lacksSomething(wire))) return undefined;
  const id = wire['callId'] ?? wire['call_id'];
  return typeof id === 'string' ? id : undefined;
}

function scan(wire: unknown, sink: Sink): void {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined) return scanUnreadable(wire, sink);
  const { reads, role } = shape;
  sink.message(role);
  const id = itemIdOf(wire);
  sink.item?.(typeof id === 'string' ? id : undefined, shape.order, programOf(wire));
  if (!isReadable(wire, shape)) {
    sink.fact('content-unreadable', isBeside(wire) ? 'tool_calls' : undefined);
    sink.total += strayCharacters(wire);
    return;
  }
  if (sink.deep) scanKeys(wire, shape, sink);
  if (reads === 'message') return scanContent(wire['content'], role, sink);
  if (shape.family !== undefined) sink.fact('tool-family', shape.family);
  if (reads === 'call') return scanCall(wire, sink);
  if (reads === 'result') return scanResult(wire, sink);
  sink.part(reads, undefined, false);
  if (!sink.deep) return;
  if (reads === 'reasoning') {
    sink.total += thoughtCharacters(wire);
    return;
  }
  sink.total += opaqueCharacters(wire);
  if (lacksSomething(wire)) sink.fact('item-incomplete', 'openai-agents');
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  sink.message('unreadable');
  sink.item?.(undefined, 'other');
  const { type, role } = isRecord(wire) ? wire : { type: undefined, role: undefined };
  if (typeof type === 'string' && type !== 'message') sink.fact('role-foreign', type);
  else if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

/** Everything in an item has to be something that can be sent; ids and phases have forms of their own. */
function scanKeys(wire: Wire, { prefix, reads, role }: Shape, sink: Sink): void {
  checkValue(wire, sink);
  const id = itemIdOf(wire);
  if (id !== undefined && !isLegalItemId(id, prefix)) sink.fact('item-id-malformed', prefix);
  const { phase } = wire;
  if (reads !== 'message' || role !== 'assistant' || phase === undefined || phase === null) return;
  if (phase !== 'commentary' && phase !== 'final_answer') sink.fact('extra-key', ['phase']);
}

function isLegalItemId(id: unknown, prefix = ''): boolean {
  return typeof id === 'string' && id.length <= MAX_ID && id.startsWith(prefix) && PLAIN_ID.test(id);
}

function scanContent(content: unknown, role: Role, sink: Sink): void {
  if (typeof content === 'string') {
    sink.part('text', undefined, false);
    if (sink.deep) sink.total += content.length;
    return;
  }
  const pieces = content as readonly unknown[];
  if (pieces.length === 0) sink.fact('empty-message');
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i];
    sink.part(pieceKind(piece), undefined, false);
    if (isPairOrThought(piece)) sink.fact('content-unreadable', 'tool_calls');
    else if (!isPiece(piece)) sink.fact('part-unreadable');
    else if (!isAllowed(piece, role)) {
      sink.fact('part-mistagged', [role === 'assistant' ? 'output_text' : 'input_text', 'openai-agents']);
    }
    if (sink.deep) sink.total += pieceCharacters(piece);
  }
}

function scanCall(wire: Wire, sink: Sink): void {
  const id = callIdOf(wire);
  sink.part('call', id, false);
  if (!sink.deep) return;
  sink.total += callCharacters(wire);
  if (id === undefined || !isNamedRightly(wire) || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  if (lacksSomething(wire)) sink.fact('item-incomplete', 'openai-agents');
  if (!isFunction(wire)) return;
  const { name } = wire;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) sink.fact('call-name-malformed');
  if (typeof wire['arguments'] !== 'string') sink.fact('call-input-malformed');
}

function scanResult(wire: Wire, sink: Sink): void {
  const id = callIdOf(wire);
  sink.part('result', id, false);
  const said = outputOf(wire);
  if (id !== undefined && typeof said === 'string' && isPlaceholder(said)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  sink.total += outputCharacters(wire);
  if (id !== undefined && !isNamedRightly(wire)) sink.fact('call-id-malformed');
  if (!isOutput(wire)) sink.fact('output-malformed', 'openai-agents');
}
