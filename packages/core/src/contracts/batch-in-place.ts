import { dropPart, type Edit, type Proposal } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case } from '../model/rule.ts';
import { isClientCall, isClientResult } from './batch.ts';
import { stepAround } from './last-step.ts';

/** True where another call of the same step has its result, in messages in which a call carries its own. */
export function isPartialInPlace(found: Case): boolean {
  return someOf(found, isClientResult).length > 0;
}

/** Removes every call of the step an open call belongs to, with the results that they carry. */
export function removeBatchInPlace(found: Case): Proposal {
  const edits = someOf(found, (part) => isClientCall(part) || isClientResult(part));
  const count = someOf(found, isClientCall).length;
  const note = `removed the whole batch of ${String(count)} calls, of which some have no result`;
  return { edits, action: 'drop', loss: 'lossy', note };
}

function someOf(found: Case, wanted: (part: Part) => boolean): Edit[] {
  const { message, part: own = 0 } = found.fact;
  const { parts } = found.message(message);
  const { from, to } = stepAround(parts, own);
  return parts.slice(from, to + 1).flatMap((each, i) => (wanted(each) ? [dropPart({ message, part: from + i })] : []));
}
