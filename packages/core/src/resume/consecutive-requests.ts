import { consecutiveRequests } from '../rules/consecutive-requests.ts';
import { applyRules } from './clean.ts';
import type { Step } from './empty-responses.ts';

/** Keeps only the last of several requests in a row; a request that carries results always stays. */
export function removeConsecutiveRequests<M>(messages: readonly M[]): Step<M> {
  const { changed, messages: kept } = applyRules(messages, [consecutiveRequests]);
  return { changed, messages: kept };
}
