import { isLegalId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys } from '../../model/value.ts';
import { MetNames } from '../met-names.ts';

type Wire = Record<string, unknown>;

/**
 * Reads a part of the shapes that nearly all parts have, with nothing wrong in it; says false, and tells the sink
 * nothing, for any other. Each shape is read in a function of its own, where the engine meets no other shapes.
 */
export function scanUsual(part: unknown, role: Role, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false;
  const kind = (part as Wire)['part_kind'];
  if (role === 'assistant') {
    if (kind === 'tool-call') return scanCall(part as Wire, sink);
    return kind === 'text' && scanText(part as Wire, sink);
  }
  if (kind === 'tool-return') return scanReturn(part as Wire, sink);
  return kind === 'user-prompt' && scanText(part as Wire, sink);
}

function scanText(part: Wire, sink: Sink): boolean {
  const { content } = part;
  if (typeof content !== 'string') return false;
  if (sink.deep) {
    const dates = datesIn(part);
    if (dates === -1 || !content.isWellFormed() || countKeys(part) !== 2 + dates) return false;
    sink.total += content.length;
  }
  sink.part('text', undefined, false);
  return true;
}

/** 1 for a date, 0 for none, and -1 for something else in its place. */
function datesIn({ timestamp }: Wire): number {
  if (timestamp === undefined) return 0;
  return typeof timestamp === 'string' && timestamp.isWellFormed() ? 1 : -1;
}

const names = new MetNames();

function isUsualName(name: string): boolean {
  if (names.has(name)) return true;
  if (!name.isWellFormed()) return false;
  names.add(name);
  return true;
}

function scanCall(part: Wire, sink: Sink): boolean {
  const { tool_call_id: id, tool_name: name, args } = part;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof args !== 'string') return false;
  if (sink.deep) {
    if (!isLegalId(id, sink.profile) || !isUsualName(name) || countKeys(part) !== 4) return false;
    if (!(id.isWellFormed() && args.isWellFormed())) return false;
    sink.total += args.length + name.length;
  }
  sink.part('call', id, false);
  return true;
}

function scanReturn(part: Wire, sink: Sink): boolean {
  const { tool_call_id: id, tool_name: name, content } = part;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof content !== 'string') return false;
  if (sink.deep) {
    const dates = datesIn(part);
    if (dates === -1 || !isUsualName(name) || countKeys(part) !== 4 + dates) return false;
    if (!(id.isWellFormed() && content.isWellFormed())) return false;
    sink.total += content.length;
  }
  sink.part('result', id, false);
  if (isPlaceholder(content)) sink.fact('placeholder', id);
  return true;
}

/** True for a message with nothing beside its parts but its kind, a date and the name of a model. */
export function isBare(wire: Wire): boolean {
  const { model_name: model } = wire;
  const dates = datesIn(wire);
  if (dates === -1 || (model !== undefined && !(typeof model === 'string' && isUsualName(model)))) return false;
  return wire['parts'] !== undefined && countKeys(wire) === 2 + dates + (model === undefined ? 0 : 1);
}
