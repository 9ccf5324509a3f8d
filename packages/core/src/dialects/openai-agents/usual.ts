import { isLegalId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { NOT_PLAIN, UNMARKED } from '../../model/id-mark.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys } from '../../model/value.ts';
import type { Wire } from './items.ts';
import { beside, isUsualName, markOfKept, onlyText } from '../openai-responses/usual.ts';

/**
 * Reads an item of the shapes that nearly all items have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(wire: unknown, sink: Sink): boolean {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return false;
  const type = (wire as Wire)['type'];
  if (type === 'function_call') return scanCall(wire as Wire, sink);
  if (type === 'function_call_result') return scanResult(wire as Wire, sink);
  return (type === undefined || type === 'message') && scanMessage(wire as Wire, sink);
}

/** What stands in for an id is looked at more closely. */
function isId(id: unknown): id is string | undefined {
  return id === undefined || (typeof id === 'string' && id !== 'FAKE_ID');
}

function scanCall(wire: Wire, sink: Sink): boolean {
  const { id, callId, name, arguments: input, status } = wire;
  if (typeof callId !== 'string' || typeof name !== 'string' || typeof input !== 'string' || !isId(id)) return false;
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

function scanResult(wire: Wire, sink: Sink): boolean {
  const { id, callId, name, output, status } = wire;
  if (typeof callId !== 'string' || typeof name !== 'string' || id !== undefined) return false;
  const text = typeof output === 'string' ? output : returnedText(output);
  if (text === undefined) return false;
  if (sink.deep) {
    if (!isUsualName(name) || countKeys(wire) !== 4 + beside(undefined, status)) return false;
    if (!(callId.isWellFormed() && text.isWellFormed())) return false;
    sink.total += text.length;
  }
  sink.message('tool');
  sink.item?.(undefined, 'other', undefined);
  sink.part('result', callId, false);
  if (isPlaceholder(text)) sink.fact('placeholder', callId);
  return true;
}

/** The text of an output that is one text and nothing else. */
function returnedText(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined;
  const { type, text } = output as Wire;
  return type === 'text' && typeof text === 'string' && countKeys(output) === 2 ? text : undefined;
}

function scanMessage(wire: Wire, sink: Sink): boolean {
  const { role, content, id, status } = wire;
  if ((role !== 'user' && role !== 'assistant') || !isId(id) || wire['tool_calls'] !== undefined) return false;
  const text = role === 'user' && typeof content === 'string' ? content : onlyText(content, role, sink);
  if (text === undefined) return false;
  let mark = UNMARKED;
  if (sink.deep) {
    if (wire['phase'] !== undefined || !text.isWellFormed()) return false;
    if (id !== undefined) mark = markOfKept(id, 'msg');
    if (mark === NOT_PLAIN) return false;
    if (countKeys(wire) !== (wire['type'] === undefined ? 2 : 3) + beside(id, status)) return false;
    sink.total += text.length;
  }
  sink.message(role);
  sink.mark = mark;
  sink.item?.(id, role === 'user' ? 'other' : 'made', undefined);
  sink.part('text', undefined, false);
  return true;
}
