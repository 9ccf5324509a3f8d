import { isSoundId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys } from '../../model/value.ts';
import { isPlainName } from '../met-names.ts';
import { scanCall } from './call.ts';

type Wire = Record<string, unknown>;

/**
 * Reads a message of the shapes that nearly all messages have, with nothing wrong in it but perhaps in a call; says
 * false, and tells the sink nothing, for any other. Each shape is read in a function of its own, where the engine meets
 * no other shapes.
 */
export function scanUsual(wire: unknown, sink: Sink): boolean {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return false;
  const { tool_call_id: id, tool_calls: calls } = wire as Wire;
  if (id !== undefined) return scanResult(wire as Wire, sink);
  return calls === undefined ? scanText(wire as Wire, sink) : scanCalls(wire as Wire, sink);
}

function scanResult(wire: Wire, sink: Sink): boolean {
  const { role, tool_call_id: id, name, content } = wire;
  if (role !== 'tool' || typeof id !== 'string' || typeof content !== 'string') return false;
  if (sink.deep) {
    if (name !== undefined && (typeof name !== 'string' || !isPlainName(name))) return false;
    if (countKeys(wire) !== (name === undefined ? 3 : 4)) return false;
    if (!(id.isWellFormed() && content.isWellFormed())) return false;
    sink.total += content.length;
  }
  sink.message('tool');
  sink.part('result', id, false);
  if (isPlaceholder(content)) sink.fact('placeholder', id);
  return true;
}

function scanText(wire: Wire, sink: Sink): boolean {
  const { role, content } = wire;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return false;
  if (typeof content !== 'string' || (content === '' && role === 'assistant') || countKeys(wire) !== 2) return false;
  if (sink.deep) {
    if (!content.isWellFormed()) return false;
    sink.total += content.length;
  }
  sink.message(role);
  sink.part('text', undefined, false);
  return true;
}

function scanCalls(wire: Wire, sink: Sink): boolean {
  const { role, content, tool_calls: calls } = wire;
  if (role !== 'assistant' || typeof content !== 'string' || !Array.isArray(calls) || calls.length === 0) return false;
  if (countKeys(wire) !== 3) return false;
  if (sink.deep) {
    if (!content.isWellFormed()) return false;
    sink.total += content.length;
  }
  sink.message('assistant');
  sink.part('text', undefined, false);
  for (let i = 0; i < calls.length; i += 1) if (!scanUsualCall(calls[i], sink)) scanCall(calls[i], false, sink);
  return true;
}

function scanUsualCall(call: unknown, sink: Sink): boolean {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return false;
  const { id, type, function: callee } = call as Wire;
  if (type !== 'function' || typeof id !== 'string') return false;
  if (typeof callee !== 'object' || callee === null || Array.isArray(callee)) return false;
  if (sink.deep) {
    const { name, arguments: input } = callee as Wire;
    if (typeof name !== 'string' || typeof input !== 'string' || !isPlainName(name)) return false;
    if (!isSoundId(id, sink.profile) || countKeys(call) !== 3 || countKeys(callee) !== 2) return false;
    if (!input.isWellFormed()) return false;
    sink.total += name.length + input.length;
  }
  sink.part('call', id, false);
  return true;
}
