import { StoreError, type StoreErrorCode } from '../../store-error.ts';

/** SQLite result codes with a specific error code; all others are `io`. */
const codes: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  8: ['unsafe', 'the database is read-only'],
  11: ['damaged', 'the database file is damaged'],
  13: ['full', 'the disk is full'],
  14: ['unsafe', 'the database cannot be opened'],
  18: ['unstorable', 'a record is too large for the database'],
  26: ['not-ours', 'the file is not an SQLite database'],
};

const busyCodes = new Set([5, 6]);

const resultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** Whether another process holds a lock. */
export function isBusy(error: unknown): boolean {
  return busyCodes.has((resultOf(error) ?? 0) & 0xff);
}

/** Whether a read, write or sync failed, so that the state of the disk is unknown. */
export function isIo(error: unknown): boolean {
  return ((resultOf(error) ?? 0) & 0xff) === 10;
}

/** Converts an error of SQLite to a `StoreError`. */
export function failure(cause: unknown, path: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const result = resultOf(cause);
  const [code, words] = codes[(result ?? 0) & 0xff] ?? [
    'io',
    isBusy(cause) ? 'the database is locked' : 'SQLite failed',
  ];
  const said = cause instanceof Error ? cause.message : String(cause);
  const system = result === undefined ? {} : { system: `SQLITE_${result}` };
  return new StoreError(code, `${JSON.stringify(path)}: ${words} (${said})`, { path, ...system, cause });
}
