import type { ModelError, ModelErrorKind } from './model-port.ts';

export type RetryLimits = {
  /** Maximum attempts per answer. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** The longest wait that a provider may ask for. */
  readonly longestAskedMs: number;
};

export const RETRY: RetryLimits = {
  attempts: 6,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  longestAskedMs: 300_000,
};

/** The attempts for one answer so far. */
export type Tried = {
  readonly attempts: number;
  readonly repaired: boolean;
  readonly shortened: boolean;
  readonly whole: boolean;
};

/**
 * What to do about an error. `again`: retry after a wait. `whole`: retry without streaming. `repair`: repair the
 * history as the provider's text asks. `shorten`: compact it. `give-up`: nothing helps.
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
 * Exponential backoff with jitter, so that many sessions do not return at once. Never shorter than the provider asks
 * for.
 */
export function delayMs(error: ModelError, attempt: number, how: RetryLimits & { random: () => number }): number {
  const grown = Math.min(how.longestDelayMs, how.firstDelayMs * 2 ** (attempt - 1));
  return Math.max(error.retryAfterMs ?? 0, Math.round(grown * (0.5 + how.random() / 2)));
}

/** Whether the connection is in doubt, so that the client is replaced. */
export function isNetworkFault({ kind }: ModelError): boolean {
  return kind === 'connect' || kind === 'read' || kind === 'stalled' || kind === 'cut' || kind === 'malformed';
}
