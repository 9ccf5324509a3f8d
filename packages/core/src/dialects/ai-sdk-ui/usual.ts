import { isSoundId, PLAIN_ID } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { countKeys, isBlank, plainCharacters } from '../../model/value.ts';
import { MetNames } from '../met-names.ts';
import { StepIds } from './step-ids.ts';

type Wire = Record<string, unknown>;

export const LONGEST_NAME = 128;

/** The calls of the step that is being read. */
export const step: StepIds = new StepIds();

/**
 * Reads a part of the shapes that nearly all parts have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(part: unknown, role: Role, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false;
  const type = (part as Wire)['type'];
  if (type === 'text') return scanText(part as Wire, sink);
  if (role !== 'assistant' || typeof type !== 'string') return false;
  if (type === 'step-start') return scanStart(part, sink);
  return isToolType(type) && scanTool(part as Wire, type, sink);
}

function scanText(part: Wire, sink: Sink): boolean {
  const { text, state } = part;
  if (typeof text !== 'string') return false;
  if (sink.deep) {
    if (isBlank(text) || !text.isWellFormed() || countKeys(part) !== (state === 'done' ? 3 : 2)) return false;
    sink.total += text.length;
  }
  sink.part('text', undefined, false);
  return true;
}

function scanStart(part: object, sink: Sink): boolean {
  if (sink.deep) {
    if (countKeys(part) !== 1) return false;
    sink.total += 'step-start'.length;
  }
  step.clear();
  sink.part('opaque', undefined, false);
  return true;
}

const BEFORE_NAME = 'tool-'.length;
const types = new MetNames('tool-name');

/** True for the type of a tool whose name can be sent. */
function isToolType(type: string): boolean {
  if (types.has(type)) return true;
  if (!type.startsWith('tool-') || type.length > BEFORE_NAME + LONGEST_NAME) return false;
  if (!PLAIN_ID.test(type.slice(BEFORE_NAME))) return false;
  types.add(type);
  return true;
}

/** A call that has its output, which is the state that all calls come to. */
function scanTool(part: Wire, type: string, sink: Sink): boolean {
  const { toolCallId: id, state, input, output } = part;
  if (typeof id !== 'string' || state !== 'output-available' || part['preliminary'] !== undefined) return false;
  if (sink.deep) {
    if (!isSoundId(id, sink.profile) || countKeys(part) !== 5) return false;
    const asked = sizeOf(input);
    const given = sizeOf(output);
    if (asked === -1 || given === -1) return false;
    sink.total += type.length - BEFORE_NAME + asked + given;
  }
  sink.part('call', id, true);
  const copies = step.add(id, true);
  if (copies > 0) sink.fact('call-id-again', String(copies));
  sink.part('result', id, true);
  return true;
}

/** Characters of a text, or of an object of a few texts and numbers; -1 for anything else. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.isWellFormed() ? value.length : -1;
  return typeof value === 'object' && value !== null ? plainCharacters(value as Wire) : -1;
}
