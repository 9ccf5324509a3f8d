import type { Edit, Proposal } from '../../model/edit.ts';
import type { CallPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { resultOf, spokenOf } from './place.ts';

/** The call that a result answers and that is not sent, because whoever stored it could not make sense of it. */
export function failedCallOf(found: Case): CallPart | undefined {
  const { callId } = resultOf(found, found.fact);
  const step = found.answeredBy(found.fact.message);
  const failed = step < 0 || callId === '' ? undefined : found.message(step).failed;
  return failed === undefined ? undefined : callsIn(found, failed).get(callId);
}

/** By id; of several that share one the first. */
function callsIn(found: Case, failed: readonly CallPart[]): ReadonlyMap<string, CallPart> {
  // Those of one message are asked for once for each of their results.
  const known = found.note('failed calls', () => new Map<readonly CallPart[], ReadonlyMap<string, CallPart>>());
  const calls = known.get(failed) ?? new Map(failed.toReversed().map((call) => [call.callId, call]));
  known.set(failed, calls);
  return calls;
}

/** Puts such a call among the others of its step, so that the pair is whole. */
export function restoreCall(found: Case, call: CallPart): Proposal | undefined {
  const message = found.answeredBy(found.fact.message);
  // A second result of the call is told from the first once the call is there.
  if (found.resultsAfter(message).get(call.callId)?.[0]?.message !== found.fact.message) return undefined;
  const edits: Edit[] = [{ kind: 'append', message, parts: [call] }];
  const note = `put ${spokenOf('call', call.callId)}, which could not be read, among the calls: its result is there`;
  return { edits, action: 'restore', loss: 'none', note };
}
