import { dropUnanswered, trailingRequest } from '../rules/trailing-request.ts';
import { isRetry } from '../rules/retry-without-return.ts';
import { applyRules, editEach, listIn } from './clean.ts';
import { MAX_CLEANUP_ITERATIONS, runCleanupLoop } from './cleanup-loop.ts';
import type { Step } from './empty-responses.ts';
import { describeCleanup, tell, type CleanupLogger } from './logger.ts';

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
 */
export function dropTrailingRequest<M>(messages: readonly M[], options?: { readonly logger?: CleanupLogger }): Step<M> {
  const { logger } = options ?? {};
  let current = messages;
  for (let i = 0; i < MAX_CLEANUP_ITERATIONS; i += 1) {
    const dropped = applyRules(current, [DROPPED], { next: 'user' });
    if (!dropped.changed && !endsInRetry(current)) break;
    if (dropped.changed) tell(logger, describeCleanup(dropped.notes, NEXT));
    current = runCleanupLoop(dropped.messages, {}, logger === undefined ? {} : { logger }).messages;
  }
  return { changed: current !== messages, messages: current };
}
