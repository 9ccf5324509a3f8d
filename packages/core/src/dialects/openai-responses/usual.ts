import { isLegalId, isPlainId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { NOT_PLAIN, plainMark, UNMARKED } from '../../model/id-mark.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys } from '../../model/value.ts';
import { MetNames } from '../met-names.ts';
import type { Wire } from './items.ts';

export const MAX_ID = 64;
export const MAX_NAME = 128;
export const MAX_OUTPUT = 10_485_760;

/**
 * Reads an entry of the shapes that nearly all entries have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(wire: unknown, sink: Sink): boolean {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return false;
  // What an entry is can be guessed by its keys before its type has come from the memory, which then proves it.
  // One key after the other, because the fewer shapes are asked for a key the faster it is found.
  if ((wire as Wire)['arguments'] !== undefined) return scanCall(wire as Wire, sink);
  if ((wire as Wire)['output'] !== undefined) return scanOutput(wire as Wire, sink);
  return scanMessage(wire as Wire, sink);
}

function scanCall(wire: Wire, sink: Sink): boolean {
  const { type, id, call_id: callId, name, arguments: input, status } = wire;
  if (typeof type !== 'string' || type !== 'function_call') return false;
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof input !== 'string') return false;
  if (id !== undefined && typeof id !== 'string') return false;
  let mark = UNMARKED;
  if (sink.deep) {
    if (!isUsualName(name) || !isLegalId(callId, sink.profile)) return false;
    if (!(callId.isWellFormed() && input.isWellFormed())) return false;
    if (id !== undefined) mark = markOfKept(id, 'fc');
    if (mark === NOT_PLAIN || countKeys(wire) !== 4 + beside(id, status)) return false;
    sink.total += name.length + input.length;
  }
  sink.message('assistant');
  sink.mark = mark;
  sink.item?.(id, 'made', undefined);
  sink.part('call', callId, false);
  return true;
}

const names = new MetNames();

export function isUsualName(name: string): boolean {
  if (names.has(name)) return true;
  if (name === '' || name.length > MAX_NAME || !name.isWellFormed()) return false;
  names.add(name);
  return true;
}

function scanOutput(wire: Wire, sink: Sink): boolean {
  const { type, id, call_id: callId, output } = wire;
  if (typeof type !== 'string' || type !== 'function_call_output') return false;
  if (typeof callId !== 'string' || typeof output !== 'string' || id !== undefined) return false;
  if (sink.deep) {
    if (output.length > MAX_OUTPUT || sink.request?.chained === true || countKeys(wire) !== 3) return false;
    if (!(callId.isWellFormed() && output.isWellFormed())) return false;
    sink.total += output.length;
  }
  sink.message('tool');
  sink.item?.(undefined, 'other', undefined);
  sink.part('result', callId, false);
  if (isPlaceholder(output)) sink.fact('placeholder', callId);
  return true;
}

function scanMessage(wire: Wire, sink: Sink): boolean {
  const { type, role, content, id, status } = wire;
  if (type !== undefined && (typeof type !== 'string' || type !== 'message')) return false;
  if (typeof role !== 'string' || (role !== 'user' && role !== 'assistant')) return false;
  if ((id !== undefined && typeof id !== 'string') || wire['tool_calls'] !== undefined) return false;
  if (wire['function_call'] !== undefined) return false;
  const text = typeof content === 'string' ? content : onlyText(content, role, sink);
  if (text === undefined) return false;
  let mark = UNMARKED;
  if (sink.deep) {
    if (wire['phase'] !== undefined || !text.isWellFormed()) return false;
    if (id !== undefined) mark = markOfKept(id, 'msg');
    if (mark === NOT_PLAIN || countKeys(wire) !== (type === undefined ? 2 : 3) + beside(id, status)) return false;
    sink.total += text.length;
  }
  sink.message(role);
  sink.mark = mark;
  sink.item?.(id, role === 'user' ? 'other' : 'made', undefined);
  sink.part('text', undefined, false);
  return true;
}

/** The text of a content that is one text and nothing else. */
export function onlyText(content: unknown, role: 'user' | 'assistant', sink: Sink): string | undefined {
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  if (typeof only !== 'object' || only === null || Array.isArray(only)) return undefined;
  const { type, text, annotations } = only as Wire;
  if (typeof text !== 'string' || type !== (role === 'user' ? 'input_text' : 'output_text')) return undefined;
  if (!sink.deep) return text;
  if (annotations === undefined) return countKeys(only) === 2 ? text : undefined;
  return Array.isArray(annotations) && annotations.length === 0 && countKeys(only) === 3 ? text : undefined;
}

/** How many of an id and a status that says nothing an entry has. */
export function beside(id: string | undefined, status: unknown): number {
  const said = typeof status === 'string' && status === 'completed';
  return (id === undefined ? 0 : 1) + (said ? 1 : 0);
}

/** What an id looks like that the provider may have given to something of this type. */
export function markOfKept(id: string, prefix: string): number {
  return id.length <= MAX_ID && id.startsWith(prefix) ? plainMark(id) : NOT_PLAIN;
}

/** True for an id that the provider may have given to something of this type. */
export function isLegalItemId(id: unknown, prefix: string | undefined): boolean {
  if (typeof id !== 'string' || id.length > MAX_ID || !isPlainId(id)) return false;
  return prefix === undefined || id.startsWith(prefix);
}
