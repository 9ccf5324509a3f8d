import { StoreError, type StoreErrorCode } from '@rethread/store';

/** A request that cannot be answered as asked: a status, a code for programs and a message for people. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<{ [name: string]: unknown }> | undefined;

  constructor(status: number, code: string, { message, details }: Said) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Said = { readonly message: string; readonly details?: Readonly<{ [name: string]: unknown }> };

/** Makes a failure without details. */
export function failure(status: number, code: string, message: string): Failure {
  return new Failure(status, code, { message });
}

const STATUSES: Readonly<Partial<Record<StoreErrorCode, number>>> = {
  missing: 404,
  exists: 409,
  conflict: 409,
  stale: 409,
  reused: 409,
  unstorable: 422,
  unsupported: 400,
  full: 507,
  closed: 503,
};

/** What a client is told of an error; undefined if it is a fault of ours. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (!StoreError.is(error)) return undefined;
  const status = STATUSES[error.code];
  if (status === undefined) return undefined;
  const { head, expected, seq } = error.details;
  const details = {
    ...(head !== undefined && { head }),
    ...(expected !== undefined && { expected }),
    ...(seq !== undefined && { seq }),
  };
  // The message may name the session as the store knows it, with its tenant.
  return new Failure(status, error.code, { message: SENTENCES[error.code] ?? error.code, details });
}

const SENTENCES: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  missing: 'there is no such session',
  exists: 'a session with this id exists already',
  conflict: 'the session has changed: read its head and try again',
  stale: 'another writer has taken over the session: try again',
  reused: 'this operation was already done with other records',
  unstorable: 'the records cannot be stored: check their form and size',
  unsupported: 'the store cannot do this, or an argument is invalid',
  full: 'the store is full',
  closed: 'the service is closing',
};
