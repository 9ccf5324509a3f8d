import { isRecord } from './value.ts';

/** What to do where more than one repair is right. */
export type Policy = {
  /** A call without a result: close it with a result that says so, or remove it (default: `close`). */
  readonly openCall: 'close' | 'remove';
  /** A batch with some results missing: close or remove the open calls, or remove all of it (default: `close`). */
  readonly partialBatch: 'close' | 'remove-open' | 'remove-batch';
  /** A result without a call: quote it as text of the user, or remove it (default: `quote`). */
  readonly orphanResult: 'quote' | 'remove';
  /** Which of several results of a call stays (default: `keep-last`). */
  readonly duplicateResult: 'keep-last' | 'keep-first';
  /** A retry prompt: the result of its call, or removed with that call (default: `result`). */
  readonly retryPrompt: 'result' | 'prune';
  /** A message that cannot be read: quote what is readable, or skip it (default: `quote`). */
  readonly unreadable: 'quote' | 'skip';
  /** Requests in a row: merge them, or keep the last (default: `merge`). */
  readonly consecutiveRequests: 'merge' | 'keep-last';
  /** An unanswered request before a new one: merge the two, or drop it (default: `merge`). */
  readonly trailingRequest: 'merge' | 'drop';
};

/** Loses nothing that can be kept. */
export const PRESERVE: Policy = {
  openCall: 'close',
  partialBatch: 'close',
  orphanResult: 'quote',
  duplicateResult: 'keep-last',
  retryPrompt: 'result',
  unreadable: 'quote',
  consecutiveRequests: 'merge',
  trailingRequest: 'merge',
};

/** Removes what is not whole. */
export const DISCARD: Policy = {
  openCall: 'remove',
  partialBatch: 'remove-batch',
  orphanResult: 'remove',
  duplicateResult: 'keep-first',
  retryPrompt: 'prune',
  unreadable: 'skip',
  consecutiveRequests: 'keep-last',
  trailingRequest: 'drop',
};

/** The valid choices of a policy, each with its default first. */
export const POLICY_CHOICES: { readonly [K in keyof Policy]: readonly Policy[K][] } = {
  openCall: ['close', 'remove'],
  partialBatch: ['close', 'remove-open', 'remove-batch'],
  orphanResult: ['quote', 'remove'],
  duplicateResult: ['keep-last', 'keep-first'],
  retryPrompt: ['result', 'prune'],
  unreadable: ['quote', 'skip'],
  consecutiveRequests: ['merge', 'keep-last'],
  trailingRequest: ['merge', 'drop'],
};

/** What is left out, or is no choice there is, loses nothing. */
export function resolvePolicy(choice: 'preserve' | 'discard' | Partial<Policy> | undefined): Policy {
  if (choice === 'discard') return DISCARD;
  if (!isRecord(choice)) return PRESERVE;
  const chosen: Record<string, unknown> = choice;
  const known = Object.entries(POLICY_CHOICES).filter(([key, values]) => values.some((value) => value === chosen[key]));
  return { ...PRESERVE, ...Object.fromEntries(known.map(([key]) => [key, chosen[key]])) };
}
