import type { Clock } from './clock.ts';

/** The limit of each kind of wait, in milliseconds. Every wait has one. */
export type Deadlines = {
  /** From the request to the first sign of a streamed answer. */
  readonly firstMs: number;
  /** Between two events of a stream. */
  readonly idleMs: number;
  /** A whole request, streamed or not. */
  readonly requestMs: number;
  /** A tool run without a `timeoutMs` of its own. */
  readonly toolMs: number;
  /** A requested approval; after that the run rests and can be resumed. */
  readonly approvalMs: number;
  readonly turnMs: number;
  readonly storeMs: number;
  /** How long the model and the tools may take to end after a stop. */
  readonly settleMs: number;
  readonly renewMs: number;
  readonly compactionMs: number;
};

export const DEADLINES: Deadlines = {
  firstMs: 90_000,
  idleMs: 60_000,
  requestMs: 600_000,
  toolMs: 120_000,
  approvalMs: 600_000,
  turnMs: 3_600_000,
  storeMs: 30_000,
  settleMs: 2_000,
  renewMs: 5_000,
  compactionMs: 300_000,
};

const brand = Symbol.for('@rethread/agent DeadlineError');

/** A wait took longer than it may. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly deadline: keyof Deadlines;

  constructor(deadline: keyof Deadlines, ms: number) {
    super(`nothing within ${ms} ms (${deadline})`);
    Object.defineProperty(this, brand, { value: true });
    this.deadline = deadline;
  }

  /** Whether an error is one of these, also of another copy of this package, which `instanceof` does not see. */
  static is(error: unknown): error is DeadlineError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}

export type Limit = {
  readonly clock: Clock;
  readonly deadline: keyof Deadlines;
  readonly ms: number;
  /** Rejects at once with the signal's reason. */
  readonly signal?: AbortSignal;
};

/** Waits for work up to a limit and always removes its timer and listener. */
export function within<T>(work: PromiseLike<T>, { clock, deadline, ms, signal }: Limit): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const late = (): void => {
      end();
      reject(new DeadlineError(deadline, ms));
    };
    const cancel = ms === Infinity ? undefined : clock.after(ms, late);
    const end = (): void => {
      cancel?.();
      signal?.removeEventListener('abort', stop);
    };
    const finish = async (): Promise<void> => {
      try {
        resolve(await work);
      } catch (error) {
        reject(error);
      } finally {
        end();
      }
    };
    void finish();
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop);
  });
}

/** Waits for some time or until the signal aborts. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
