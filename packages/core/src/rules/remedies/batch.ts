import { dropPart, type Edit, type Proposal } from '../../model/edit.ts';
import type { CallPart, Part, Place, ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { thoughtsOfGone } from './thought-aside.ts';

const NO_CALL: CallPart = { kind: 'call', callId: '', tool: '', input: undefined, server: false, characters: 0 };
const NO_RESULT: ResultPart = {
  kind: 'result',
  callId: '',
  outcome: 'unknown',
  text: '',
  server: false,
  characters: 0,
};

/** The call at a place. */
export function callOf(found: Case, at: Place): CallPart {
  const part = partAt(found, at);
  return part?.kind === 'call' ? part : NO_CALL;
}

/** The result at a place. */
export function resultOf(found: Case, at: Place): ResultPart {
  const part = partAt(found, at);
  return part?.kind === 'result' ? part : NO_RESULT;
}

/** True for a call whose id another call of its step has too. */
export function isRepeated(found: Case, message: number, { callId }: CallPart): boolean {
  if (found.profile.sharedIds === true) return false;
  const copies = found.callsOfStep(message).get(callId);
  return copies !== undefined && copies > 1;
}

function partAt(found: Case, { message, part = -1 }: Place): Part | undefined {
  return found.message(message).parts[part];
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
    if (from < index) edits.push(...thoughtsOfGone(found, from, index));
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

export function removed(edits: readonly Edit[], calls: number): Proposal {
  const note = `removed the whole batch of ${String(calls)} calls, of which some have no result`;
  return { edits, action: 'drop', loss: 'lossy', note };
}

/** True for the first open call of a batch that asks: a batch is gone over once, and not for each of its open calls. */
export function speaksFor(found: Case, batch: object): boolean {
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
