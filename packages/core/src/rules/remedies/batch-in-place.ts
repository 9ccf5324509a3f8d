import { dropPart, type Edit, type Proposal } from '../../model/edit.ts';
import type { Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { isClientCall, isClientResult, removed, speaksFor } from './batch.ts';
import { stepAround } from './last-step.ts';

/** The calls of one step, and the results that they carry. */
type Batch = { readonly calls: readonly number[]; readonly results: readonly number[] };

/** True where another call of the same step has its result, in messages in which a call carries its own. */
export function isPartialInPlace(found: Case): boolean {
  return batchOf(found).results.length > 0;
}

/** Removes every call of the step an open call belongs to, with the results that they carry. */
export function removeBatchInPlace(found: Case): Proposal | undefined {
  const batch = batchOf(found);
  if (!speaksFor(found, batch)) return undefined;
  const { message } = found.fact;
  const edits: Edit[] = [...batch.calls, ...batch.results].map((part) => dropPart({ message, part }));
  return removed(edits, batch.calls.length);
}

function batchOf(found: Case): Batch {
  const { message, part: own = 0 } = found.fact;
  const { parts } = found.message(message);
  const batches = found.note('batches', () => new Map<readonly Part[], Map<number, Batch>>());
  const known = batches.get(parts) ?? new Map<number, Batch>();
  batches.set(parts, known);
  const batch = known.get(own) ?? readBatch(parts, own);
  for (const part of known.has(own) ? [] : batch.calls) known.set(part, batch);
  return batch;
}

function readBatch(parts: readonly Part[], own: number): Batch {
  const calls: number[] = [];
  const results: number[] = [];
  const { from, to } = stepAround(parts, own);
  for (const [i, part] of parts.slice(from, to + 1).entries()) {
    if (isClientCall(part)) calls.push(from + i);
    else if (isClientResult(part)) results.push(from + i);
  }
  return { calls, results };
}
