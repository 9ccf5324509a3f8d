import { isRecord } from './value.ts';

/** What to do where more than one repair is right. */
export type Policy = {
  readonly openCall: 'close' | 'remove';
  readonly partialBatch: 'close' | 'remove-open' | 'remove-batch';
  readonly orphanResult: 'quote' | 'remove';
  readonly duplicateResult: 'keep-last' | 'keep-first';
  readonly retryPrompt: 'result' | 'prune';
  readonly unreadable: 'quote' | 'skip';
  readonly consecutiveRequests: 'merge' | 'keep-last';
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

const CHOICES: { readonly [K in keyof Policy]: readonly Policy[K][] } = {
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
  const known = Object.entries(CHOICES).filter(([key, values]) => values.some((value) => value === chosen[key]));
  return { ...PRESERVE, ...Object.fromEntries(known.map(([key]) => [key, chosen[key]])) };
}
