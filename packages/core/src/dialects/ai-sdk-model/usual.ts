import { isSoundId, PLAIN_ID } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { countKeys, isBlank, plainCharacters } from '../../model/value.ts';
import { MetNames } from '../met-names.ts';

type Wire = Record<string, unknown>;

export const LONGEST_NAME = 128;

/**
 * Reads a part of the shapes that nearly all parts have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(part: unknown, role: Role, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false;
  const type = (part as Wire)['type'];
  if (role === 'tool') return type === 'tool-result' && scanResult(part as Wire, sink);
  if (type === 'text') return scanText(part as Wire, sink);
  return role === 'assistant' && type === 'tool-call' && scanCall(part as Wire, sink);
}

function scanText(part: Wire, sink: Sink): boolean {
  const { text } = part;
  if (typeof text !== 'string') return false;
  if (sink.deep) {
    if (isBlank(text) || !text.isWellFormed() || countKeys(part) !== 2) return false;
    sink.total += text.length;
  }
  sink.part('text', undefined, false);
  return true;
}

const names = new MetNames();

function isUsualName(name: string): boolean {
  if (names.has(name)) return true;
  if (name.length > LONGEST_NAME || !PLAIN_ID.test(name)) return false;
  names.add(name);
  return true;
}

function scanCall(part: Wire, sink: Sink): boolean {
  const { toolCallId: id, toolName: name, input } = part;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'object' || input === null) return false;
  if (part['providerExecuted'] !== undefined) return false;
  if (sink.deep) {
    if (!isSoundId(id, sink.profile) || !isUsualName(name) || countKeys(part) !== 4) return false;
    const size = plainCharacters(input as Wire);
    if (size === -1) return false;
    sink.total += name.length + size;
  }
  sink.part('call', id, false);
  return true;
}

/** Only a text is looked at: what we invent ourselves is an error. */
function scanResult(part: Wire, sink: Sink): boolean {
  const { toolCallId: id, toolName: name, output } = part;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof output !== 'object' || output === null) return false;
  const { type, value } = output as Wire;
  if (type !== 'text' || typeof value !== 'string') return false;
  if (sink.deep) {
    if (!isUsualName(name) || countKeys(part) !== 4 || countKeys(output) !== 2) return false;
    if (!(id.isWellFormed() && value.isWellFormed())) return false;
    sink.total += value.length;
  }
  sink.part('result', id, false);
  return true;
}
