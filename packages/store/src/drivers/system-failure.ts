import { StoreError, type StoreErrorDetails } from '../store-error.ts';

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Runs an action on something that may be gone; undefined if it is. */
export function ifThere<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** System errors that mean: no room. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isNoRoom = (error: unknown): boolean => noRoom.has(errorCode(error) ?? '');

/** Converts a system error to a `StoreError`; a `StoreError` passes unchanged. */
export function failure(error: unknown, what: string, details: StoreErrorDetails = {}): StoreError {
  if (error instanceof StoreError) return error;
  const system = errorCode(error);
  const code = isNoRoom(error) ? 'full' : system === 'ELOOP' ? 'unsafe' : 'io';
  const why = system ?? (error instanceof Error ? error.message : String(error));
  return new StoreError(code, `${what}: ${why}`, {
    ...details,
    ...(system === undefined ? {} : { system }),
    cause: error,
  });
}

/** Runs file operations and converts their errors to a `StoreError`. */
export function attempt<T>(what: string, action: () => T, details: StoreErrorDetails = {}): T {
  try {
    return action();
  } catch (error) {
    throw failure(error, what, details);
  }
}
