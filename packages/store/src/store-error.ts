import type { Owner } from './owner.ts';

/**
 * Why an operation failed. `conflict`: another process writes, or the head moved. `stale`: the lease was lost, so this
 * writer may never write again. `reused`: the operation name belongs to other records. `poisoned`: a sync failed, so
 * the last writes are in doubt. `not-ours`: the place holds something else. `unsafe`: a link, pipe or setting that
 * would break a promise.
 */
export type StoreErrorCode =
  | 'missing'
  | 'exists'
  | 'conflict'
  | 'stale'
  | 'reused'
  | 'full'
  | 'io'
  | 'poisoned'
  | 'damaged'
  | 'unstorable'
  | 'unsafe'
  | 'not-ours'
  | 'unsupported'
  | 'closed';

/** Details for programs; the message is for people. */
export type StoreErrorDetails = {
  readonly session?: string;
  /** The lease holder. */
  readonly owner?: Owner;
  /** The newest stored record. */
  readonly head?: number;
  /** The head the writer expected. */
  readonly expected?: number;
  readonly seq?: number;
  /** A byte offset in the file `path`. */
  readonly offset?: number;
  readonly path?: string;
  /** The error code of the system or database, such as ENOSPC or 40001. */
  readonly system?: string;
  /** The sessions that block the operation. */
  readonly sessions?: readonly string[];
};

const brand = Symbol.for('@rethread/store StoreError');

/** The only error of this package: what a caller's own function throws in `compact` is given back as it is. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly details: StoreErrorDetails;

  constructor(code: StoreErrorCode, sentence: string, details: StoreErrorDetails & { readonly cause?: unknown } = {}) {
    const { cause, ...rest } = details;
    super(sentence, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.details = rest;
  }

  /** Whether an error is one of these, also of another copy of this package, which `instanceof` does not see. */
  static is(error: unknown): error is StoreError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
