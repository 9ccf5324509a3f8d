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

export function resolvePolicy(choice: 'preserve' | 'discard' | Partial<Policy> | undefined): Policy {
  if (choice === undefined || choice === 'preserve') return PRESERVE;
  if (choice === 'discard') return DISCARD;
  return { ...PRESERVE, ...choice };
}
