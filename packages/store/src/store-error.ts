import type { Owner } from './owner.ts';

/**
 * Why an operation failed. `conflict`: somebody else writes, or the head moved. `stale`: the lease was lost, so this
 * writer may never write again. `reused`: the name of an operation was used for something else. `poisoned`: a sync
 * failed, so what this handle wrote last is in doubt. `not-ours`: a place that holds something else. `unsafe`: a link,
 * a pipe or a setting that would break a promise.
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

/** What is known about a failure, for programs; the sentence is for people. */
export type StoreErrorDetails = {
  readonly session?: string;
  /** Who holds the lease. */
  readonly owner?: Owner;
  /** The newest record that is stored. */
  readonly head?: number;
  /** The newest record that the writer believed in. */
  readonly expected?: number;
  readonly seq?: number;
  /** A byte offset in the file that is named by `path`. */
  readonly offset?: number;
  readonly path?: string;
  /** The code of the system or of the database, such as ENOSPC or 40001. */
  readonly system?: string;
  /** Sessions that stand in the way. */
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
