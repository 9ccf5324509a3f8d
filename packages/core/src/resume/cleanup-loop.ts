import { consecutiveRequests } from '../rules/consecutive-requests.ts';
import { duplicateResult } from '../rules/duplicate-result.ts';
import { lateResult } from '../rules/late-result.ts';
import { resultBeforeCall } from '../rules/result-before-call.ts';
import { resultDisplaced } from '../rules/result-displaced.ts';
import { resultWithoutCall } from '../rules/result-without-call.ts';
import { isRetry } from '../rules/retry-without-return.ts';
import { dropUnanswered, trailingRequest } from '../rules/trailing-request.ts';
import { applyRules, callIds, editEach, listIn } from './clean.ts';
import { EMPTY, removeEmptyResponses, type Step } from './cleanup-steps.ts';
import {
  DANGLING,
  findDanglingToolCallIds,
  withArgs,
  type AnyArgs,
  type ToolCallArgs,
  type WithoutDangling,
} from './dangling.ts';
import { describeCleanup, tell, type CleanupLogger } from './logger.ts';

/** How often the steps are repeated before the loop gives up and says so. */
export const MAX_CLEANUP_ITERATIONS = 10;

/**
 * A displaced result belongs to its call and is moved back, so that the call does not count as dangling. Of two results
 * of one call one goes, since a provider takes no second.
 */
const PAIRS = [...DANGLING, lateResult, duplicateResult, resultDisplaced, resultWithoutCall, resultBeforeCall] as const;

export type CleanupOptions = {
  /** Told what was changed (default: nobody). */
  readonly logger?: CleanupLogger;
  /** How often the steps are repeated at most (default: 10). */
  readonly maxIterations?: number;
};

export type CleanupResult<M, A, Args = ToolCallArgs<A>> = WithoutDangling<M, A, Args> & {
  /** Calls that are still without a return; none, unless the limit was reached. */
  readonly danglingToolCallIds: ReadonlySet<string>;
  /** How often the steps were repeated. */
  readonly iterations: number;
  /** The last iteration allowed still changed something. */
  readonly limitReached: boolean;
};

/**
 * Repeats the steps until none of them changes anything: dangling calls, which may empty a response; then empty
 * responses, which may leave two requests side by side; then consecutive requests.
 *
 * @example
 * const { messages, changed } = runCleanupLoop(history);
 */
export function runCleanupLoop<M, A = unknown>(
  messages: readonly M[],
  toolCallArgsById: ReadonlyMap<string, A>,
  options?: CleanupOptions,
): CleanupResult<M, A, ReadonlyMap<string, A>>;
export function runCleanupLoop<M, A = unknown>(
  messages: readonly M[],
  toolCallArgsById?: ToolCallArgs<A>,
  options?: CleanupOptions,
): CleanupResult<M, A>;
export function runCleanupLoop<M, A>(
  messages: readonly M[],
  toolCallArgsById?: AnyArgs<A>,
  options?: CleanupOptions,
): CleanupResult<M, A, AnyArgs<A>> {
  const { logger, maxIterations = MAX_CLEANUP_ITERATIONS } = options ?? {};
  const notes: string[] = [];
  let current = messages as M[];
  let iterations = 0;
  let stable = false;
  while (!stable && iterations < maxIterations) {
    const next = runSteps(current, notes);
    stable = next === current;
    current = next;
    iterations += 1;
  }
  const gone = current === messages ? findDanglingToolCallIds(messages) : callIds(messages);
  const pruned = withArgs({ messages: current, changed: current !== messages, notes }, gone, toolCallArgsById ?? {});
  const danglingToolCallIds = stable ? new Set<string>() : findDanglingToolCallIds(current);
  report({ notes, limitReached: !stable, iterations }, logger);
  return { ...pruned, danglingToolCallIds, iterations, limitReached: !stable };
}

/** One iteration; the same list when no step changed anything. */
function runSteps<M>(messages: readonly M[], notes: string[]): M[] {
  const paired = applyRules(messages, PAIRS);
  append(notes, paired.notes);
  const filled = removeEmptyResponses(paired.messages);
  if (filled.changed) notes.push(EMPTY);
  const single = applyRules(filled.messages, [consecutiveRequests]);
  append(notes, single.notes);
  return single.messages;
}

/** One by one: a call takes no more arguments than fit on the stack. */
function append(notes: string[], more: readonly string[]): void {
  for (const note of more) notes.push(note);
}

function report(
  { notes, limitReached, iterations }: { notes: readonly string[]; limitReached: boolean; iterations: number },
  logger: CleanupLogger | undefined,
): void {
  if (notes.length > 0) {
    tell(logger, describeCleanup(notes, 'Go on with the returned messages in place of the stored ones.'));
  }
  if (!limitReached) return;
  const times = `${String(iterations)} iteration${iterations === 1 ? '' : 's'}`;
  tell(logger, `The message history still changed after ${times}. Check it again before it is sent.`, 'urgent');
}

const DROPPED = { ...trailingRequest, repair: dropUnanswered };

const NEXT = 'Go on with the new user message after the returned messages.';

/** True where all results of the last message are retry prompts, which the loop takes out with their calls. */
function endsInRetry(messages: readonly unknown[]): boolean {
  let retries = false;
  const last = listIn(messages)?.slice(-1) ?? [];
  editEach(last, ({ parts }) => {
    const results = parts.filter((part) => part.kind === 'result');
    retries = results.length > 0 && results.every(isRetry);
    return undefined;
  });
  return retries;
}

/**
 * Drops a request at the end that nobody answered, because a new user message is about to follow; one that carries
 * results stays, but a retry prompt is none. After a removal the cleanup loop runs again, and what it leaves at the end
 * is looked at again.
 *
 * @example
 * const { messages } = dropTrailingRequest(history);
 * messages.push(newRequest);
 */
export function dropTrailingRequest<M>(messages: readonly M[], options?: { readonly logger?: CleanupLogger }): Step<M> {
  const { logger } = options ?? {};
  let current = messages as M[];
  for (let i = 0; i < MAX_CLEANUP_ITERATIONS; i += 1) {
    const dropped = applyRules(current, [DROPPED], { next: 'user' });
    if (!dropped.changed && !endsInRetry(current)) break;
    if (dropped.changed) tell(logger, describeCleanup(dropped.notes, NEXT));
    current = runCleanupLoop(dropped.messages, {}, logger === undefined ? {} : { logger }).messages;
  }
  return { changed: current !== messages, messages: current };
}
