import { dropPart, type Edit, type Proposal } from '../../model/edit.ts';
import type { CallPart, Part, Place, ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { stepAround } from './last-step.ts';
import { wireOf } from './place.ts';
import { quoteReasoningAt } from './quote.ts';

/** True for a call whose id another call of its step has too. */
export function isRepeated(found: Case, message: number, { callId }: CallPart): boolean {
  if (found.profile.sharedIds === true) return false;
  const copies = found.callsOfStep(message).get(callId);
  return copies !== undefined && copies > 1;
}

/** Removes every call of the step an open call belongs to, and their results. */
export function removeBatch(found: Case): Proposal | undefined {
  const step = found.stepAt(found.fact.message);
  if (!speaksFor(found, step)) return undefined;
  const edits: Edit[] = [];
  const ids = new Set<string>();
  let index = step.first;
  let from = index;
  for (; index < step.end; index += 1) {
    const { parts } = found.message(index);
    drop({ message: index, parts }, isClientCall, { edits, ids });
    if (parts.every(isClientCall)) continue;
    if (from < index) edits.push(...quoteStrandedReasoning(found, from, index));
    from = index + 1;
  }
  for (; index < found.count && answers(found, index); index += 1) {
    drop(
      { message: index, parts: found.message(index).parts },
      (part) => isClientResult(part) && ids.has(part.callId),
      { edits, ids },
    );
  }
  return removed(edits, ids.size);
}

function removed(edits: readonly Edit[], calls: number): Proposal {
  const note = `removed the whole batch of ${String(calls)} calls, of which some have no result`;
  return { edits, action: 'drop', loss: 'lossy', note };
}

/** True for the first open call of a batch that asks: a batch is gone over once, and not for each of its open calls. */
function speaksFor(found: Case, batch: object): boolean {
  const call = found.fact;
  const speakers = found.note('speakers', () => new Map<object, Place>());
  const first = speakers.get(batch) ?? call;
  speakers.set(batch, first);
  return first.message === call.message && first.part === call.part;
}

type Dropped = { readonly edits: Edit[]; readonly ids: Set<string> };

function drop(
  { message, parts }: { message: number; parts: readonly Part[] },
  gone: (part: Part) => boolean,
  { edits, ids }: Dropped,
): void {
  parts.forEach((part, index) => {
    if (!gone(part)) return;
    edits.push(dropPart({ message, part: index }));
    if (part.kind === 'call') ids.add(part.callId);
  });
}

function answers(found: Case, index: number): boolean {
  return found.message(index).role !== 'assistant';
}

export function isClientCall(part: Part): part is CallPart {
  return part.kind === 'call' && !part.server;
}

export function isClientResult(part: Part): part is ResultPart {
  return part.kind === 'result' && !part.server;
}

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

/**
 * Quotes the reasoning before calls that are removed, where other reasoning follows: nobody could see any more that
 * nothing is left of what came of it. The calls are all entries from one place up to another.
 */
export function quoteStrandedReasoning(found: Case, from: number, to: number): readonly Edit[] {
  if (found.profile.pairs !== 'anywhere' || !isNamedReasoning(found, to)) return [];
  const edits: Edit[] = [];
  for (let message = from - 1; isNamedReasoning(found, message); message -= 1)
    edits.push(quoteReasoningAt(found, message));
  return edits;
}

function isNamedReasoning(found: Case, message: number): boolean {
  if (message < 0 || message >= found.count) return false;
  const entry = found.message(message);
  return entry.parts[0]?.kind === 'reasoning' && typeof wireOf(entry)['id'] === 'string';
}
