import type { ModelError, ModelErrorKind } from './model-port.ts';

export type RetryLimits = {
  /** The most attempts for one answer. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A provider that asks for a longer wait than this is not waited for. */
  readonly longestAskedMs: number;
};

export const RETRY: RetryLimits = {
  attempts: 6,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  longestAskedMs: 300_000,
};

/** What has been tried for one answer. */
export type Tried = {
  readonly attempts: number;
  readonly repaired: boolean;
  readonly shortened: boolean;
  readonly whole: boolean;
};

/**
 * What to do about an error. `again`: the same request after a wait. `whole`: the same without streaming. `repair`:
 * the history is mended as the provider's words ask for. `shorten`: it is compacted. `give-up`: nothing helps.
 */
export type Remedy = 'again' | 'whole' | 'repair' | 'shorten' | 'give-up';

const REMEDIES: Readonly<Record<ModelErrorKind, Remedy>> = {
  aborted: 'give-up',
  connect: 'again',
  read: 'again',
  stalled: 'whole',
  cut: 'whole',
  malformed: 'whole',
  'refused-history': 'repair',
  overflow: 'shorten',
  rate: 'again',
  overloaded: 'again',
  server: 'again',
  auth: 'give-up',
  'bad-request': 'give-up',
};

export function remedyFor({ kind, retryAfterMs = 0 }: ModelError, tried: Tried, limits: RetryLimits): Remedy {
  const remedy = REMEDIES[kind];
  if (tried.attempts >= limits.attempts) return 'give-up';
  if (remedy === 'whole' && tried.whole) return 'give-up';
  if (remedy === 'repair' && tried.repaired) return 'give-up';
  if (remedy === 'shorten' && tried.shortened) return 'give-up';
  return remedy === 'again' && retryAfterMs > limits.longestAskedMs ? 'give-up' : remedy;
}

/**
 * Twice as long each time, with some chance in it so that many sessions do not come back at once; never shorter than
 * the provider asks for.
 */
export function delayMs(error: ModelError, attempt: number, how: RetryLimits & { random: () => number }): number {
  const grown = Math.min(how.longestDelayMs, how.firstDelayMs * 2 ** (attempt - 1));
  return Math.max(error.retryAfterMs ?? 0, Math.round(grown * (0.5 + how.random() / 2)));
}

/** Whether the connection itself is in doubt, so that the client is made anew before the next attempt. */
export function isNetworkFault({ kind }: ModelError): boolean {
  return kind === 'connect' || kind === 'read' || kind === 'stalled' || kind === 'cut' || kind === 'malformed';
}
