import { CODECS } from '../dialects/dialects.ts';
import { isDialect } from '../model/dialect.ts';
import { callAnsweredByAnother } from '../rules/call-answered-by-another.ts';
import { callWithoutResult } from '../rules/call-without-result.ts';
import { resultBeforeCall } from '../rules/result-before-call.ts';
import { resultWithoutCall } from '../rules/result-without-call.ts';
import { DISCARD, type Policy } from '../model/policy.ts';
import { ask } from '../model/read-safely.ts';
import { repair, type Repaired } from '../repair.ts';
import type { TargetInput } from '../target.ts';
import { applyRules, listIn } from './clean.ts';
import { danglingCalls, dropIds, idsIn } from './dangling.ts';
import { tellLifted, describeCleanup, tell, type CleanupLogger } from './logger.ts';

/**
 * Recovery takes calls away and nothing else that it can help: all text stays, and a complete session with a retry in
 * it is complete.
 */
const RECOVERY: Policy = { ...DISCARD, consecutiveRequests: 'merge', retryPrompt: 'result' };

const INCOMPLETE = [callWithoutResult, callAnsweredByAnother] as const;
const ORPHANED = [resultWithoutCall, resultBeforeCall] as const;

/** The calls of one message that have no result. */
export type IncompleteCalls = { readonly message: number; readonly toolCallIds: readonly string[] };

/**
 * Makes a recovered session sendable from any state: whole, cut, corrupt or empty. Never throws, never changes its
 * input. Without a target every rule is read strictly, and sealed reasoning after the first repair is lost, because
 * some models refuse it then. System messages that the list has no place for are told to the logger, word for word;
 * `repair` returns them.
 *
 * @example
 * const messages = sanitizeRecoveredMessages(recovered, console.warn);
 */
export function sanitizeRecoveredMessages<M>(
  messages: readonly M[],
  logger?: CleanupLogger,
  target?: TargetInput,
): M[] {
  const list = listIn(messages);
  if (list === undefined) {
    tell(logger, 'The recovered session is not a list of messages. Start a new conversation.', 'urgent');
    return [];
  }
  const repaired = repair(list, target, { policy: RECOVERY });
  const { dialect } = repaired.report;
  if (!isDialect(dialect)) {
    if (list.length === 0) return messages as M[];
    tell(logger, 'Nothing in the recovered session can be read as a message. Start a new conversation.', 'urgent');
    return [];
  }
  const codec = CODECS[dialect];
  if (repaired.lifted !== undefined) tellLifted(repaired.lifted, codec, logger);
  reportRecovery(repaired, logger);
  return (repaired.changed ? repaired.output : messages) as M[];
}

function reportRecovery({ report }: Repaired<unknown>, logger: CleanupLogger | undefined): void {
  if (report.repairs.length === 0) return;
  const notes = report.repairs.map(({ at, note }) => `message ${String(at.message)}: ${note}`);
  tell(logger, describeCleanup(notes, String(report.next)));
}

/**
 * The messages whose calls have no result, with the ids of those calls.
 *
 * @example
 * for (const { message, toolCallIds } of findIncompleteToolCalls(history)) console.log(message, toolCallIds);
 */
export function findIncompleteToolCalls(messages: readonly unknown[]): IncompleteCalls[] {
  const byMessage = Map.groupBy(
    danglingCalls(messages, { ...RECOVERY, partialBatch: 'remove-open' }),
    (call) => call.message,
  );
  return [...byMessage].map(([message, calls]) => ({ message, toolCallIds: calls.map(({ callId }) => callId) }));
}

/**
 * Takes the calls without a result out of a list; of a batch that was cut short, all calls and their results.
 *
 * @example
 * const messages = removeIncompleteToolCalls(history);
 */
export function removeIncompleteToolCalls<M>(messages: readonly M[]): M[];
/** Takes calls out of one message; undefined when nothing else is in it. */
export function removeIncompleteToolCalls<M>(message: M, toolCallIds?: Iterable<string>): M | undefined;
export function removeIncompleteToolCalls<M>(
  given: M | readonly M[],
  toolCallIds?: Iterable<string>,
): M | M[] | undefined {
  if (ask(Array.isArray, given) === true) {
    return applyRules(given as readonly M[], INCOMPLETE, { policy: RECOVERY }).messages;
  }
  const alone = [given as M];
  const ids = idsIn(toolCallIds);
  if (ids !== undefined) return dropIds(alone, ids).messages[0];
  return applyRules(alone, INCOMPLETE, { policy: RECOVERY }).messages[0];
}

/**
 * Removes results whose call is nowhere before them.
 *
 * @example
 * const messages = removeOrphanedToolResults(history);
 */
export function removeOrphanedToolResults<M>(messages: readonly M[]): M[] {
  return applyRules(messages, ORPHANED, { policy: RECOVERY }).messages;
}
