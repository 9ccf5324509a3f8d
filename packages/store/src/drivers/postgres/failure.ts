import { StoreError, type StoreErrorCode } from '../../store-error.ts';

/** Error codes of the server, by their first two or all five characters; all others are `io`. */
const codes: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  '53100': ['full', 'the disk of the server is full'],
  '54': ['unstorable', 'a record is too large for the server'],
  '42501': ['unsafe', 'this user lacks the permission'],
  '42P07': ['not-ours', 'the schema holds tables of another program'],
  '28': ['io', 'the server refuses this user'],
  '3D': ['io', 'there is no such database'],
  XX001: ['damaged', 'the server found damaged data'],
  XX002: ['damaged', 'the server found a damaged index'],
};

/**
 * Server errors after which a retry may succeed: serialisation failure, deadlock, shutdown, startup, too many
 * connections, standby, lock timeout.
 */
const passing = /^(?:08...|40001|40P01|57P0[1235]|53300|25006|55P03)$/;

const answerOf = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;

const isProgrammingError = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

/** Whether to retry: the server asks for it, or the connection broke with an unknown outcome. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreError || isProgrammingError(error)) return false;
  const answer = answerOf(error);
  return answer === undefined || passing.test(answer);
}

/** Whether the connection is still usable after this error. */
export function isAnswer(error: unknown): boolean {
  const answer = answerOf(error);
  return answer !== undefined && !/^(?:08|57P|25006)/.test(answer);
}

export function isTaken(error: unknown): boolean {
  return answerOf(error) === '23505';
}

/** Converts an error of the client or server to a `StoreError`. */
export function failure(cause: unknown, url: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const answer = answerOf(cause);
  const [code, words] = codes[answer ?? ''] ??
    codes[answer?.slice(0, 2) ?? ''] ?? [
      'io',
      answer === undefined ? 'the server cannot be reached' : 'the server failed',
    ];
  const said = cause instanceof Error ? cause.message : String(cause);
  const own = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? { system: cause.code } : {};
  return new StoreError(code, `${url}: ${words} (${said})`, { ...own, cause });
}
