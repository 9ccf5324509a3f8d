import type { Part } from '../model/part.ts';
import type { Case } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';

const NOTHING: Part = { kind: 'opaque', characters: 0 };

/** Where the fact is; the first part of a message where it names none. */
export function placeOf(found: Case): { message: number; part: number } {
  const { message, part = 0 } = found.fact;
  return { message, part };
}

/** The part the fact is about. */
export function partOf(found: Case): Part {
  return found.part() ?? NOTHING;
}

/** The fields of a part as they came. */
export function wireOf(part: Part): Readonly<Record<string, unknown>> {
  return isRecord(part.wire) ? part.wire : {};
}

/** Calls stand in a list of their own in some dialects: the position of a call there. */
export function callIndex(found: Case): number {
  const { message, part } = placeOf(found);
  return found
    .message(message)
    .parts.slice(0, part)
    .filter((each) => each.kind === 'call').length;
}
