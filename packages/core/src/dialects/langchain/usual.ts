import { isSoundId, PLAIN_ID } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys, isBlank, plainCharacters } from '../../model/value.ts';
import { MetNames } from '../met-names.ts';

type Wire = Record<string, unknown>;

export const LONGEST_NAME = 128;

/**
 * Reads a message of the shapes that nearly all messages have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(wire: unknown, sink: Sink): boolean {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return false;
  const { type, content } = wire as Wire;
  if (typeof content !== 'string' || (wire as Wire)['lc'] !== undefined) return false;
  if (type === 'tool') return scanResult(wire as Wire, content, sink);
  if (type === 'ai') return scanAnswer(wire as Wire, content, sink);
  return type === 'human' && scanPrompt(wire as Wire, content, sink);
}

const names = new MetNames();

function isUsualName(name: string): boolean {
  if (names.has(name)) return true;
  if (name.length > LONGEST_NAME || !PLAIN_ID.test(name)) return false;
  names.add(name);
  return true;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length === 0 : countKeys(value) === 0;
}

/** How many of an id and of the fields that providers fill a message has; NaN where one of them says something. */
function besideIn({ id, additional_kwargs: extra, response_metadata: data }: Wire): number {
  let count = 0;
  if (id !== undefined) count += typeof id === 'string' && id.isWellFormed() ? 1 : NaN;
  if (extra !== undefined) count += isEmpty(extra) ? 1 : NaN;
  if (data !== undefined) count += isEmpty(data) ? 1 : NaN;
  return count;
}

function isSaid(text: string, { profile }: Sink): boolean {
  return text !== '' && text.isWellFormed() && (profile.blankText === true || !isBlank(text));
}

function scanPrompt(wire: Wire, content: string, sink: Sink): boolean {
  if (content === '') return false;
  if (sink.deep) {
    if (!isSaid(content, sink) || countKeys(wire) !== 2 + besideIn(wire)) return false;
    sink.total += content.length;
  }
  sink.message('user');
  sink.part('text', undefined, false);
  return true;
}

function scanResult(wire: Wire, content: string, sink: Sink): boolean {
  const { tool_call_id: id, name } = wire;
  if (typeof id !== 'string' || typeof name !== 'string') return false;
  if (sink.deep) {
    if (!isUsualName(name) || countKeys(wire) !== 4 + besideIn(wire)) return false;
    if (!(id.isWellFormed() && content.isWellFormed())) return false;
    sink.total += content.length;
  }
  sink.message('tool');
  sink.part('result', id, false);
  if (isPlaceholder(content)) sink.fact('placeholder', id);
  return true;
}

function scanAnswer(wire: Wire, content: string, sink: Sink): boolean {
  const { tool_calls: calls, additional_kwargs: extra, invalid_tool_calls: failed } = wire;
  if (!Array.isArray(calls) || calls.length === 0 || (extra !== undefined && !isEmpty(extra))) return false;
  if (content !== '' && !isSaid(content, sink)) return false;
  if (failed !== undefined && !isEmpty(failed)) return false;
  const total = callCharacters(calls, sink);
  if (total === -1) return false;
  if (sink.deep) {
    if (countKeys(wire) !== 3 + (failed === undefined ? 0 : 1) + besideIn(wire)) return false;
    sink.total += content.length + total;
  }
  sink.message('assistant');
  if (content !== '') sink.part('text', undefined, false);
  for (let i = 0; i < calls.length; i += 1) sink.part('call', (calls[i] as { id: string }).id, false);
  return true;
}

/** Characters of calls in which nothing is wrong; -1 where something is. */
function callCharacters(calls: readonly unknown[], sink: Sink): number {
  let total = 0;
  for (let i = 0; i < calls.length; i += 1) {
    const call = calls[i];
    if (typeof call !== 'object' || call === null || Array.isArray(call)) return -1;
    const { id, name, args, type } = call as Wire;
    if (typeof id !== 'string' || typeof name !== 'string' || type !== 'tool_call') return -1;
    if (typeof args !== 'object' || args === null) return -1;
    if (!sink.deep) continue;
    if (!isSoundId(id, sink.profile) || !isUsualName(name) || countKeys(call) !== 4) return -1;
    const size = plainCharacters(args as Wire);
    if (size === -1) return -1;
    total += name.length + size;
  }
  return total;
}
