import type { Clock } from './clock.ts';

/** How long each kind of wait may take, in milliseconds. There is no wait without one of these. */
export type Deadlines = {
  /** From the request to the first sign of a streamed answer. */
  readonly firstMs: number;
  /** Between two signs of life in a stream. */
  readonly idleMs: number;
  /** One request from beginning to end, streamed or not. */
  readonly requestMs: number;
  /** One run of a tool that has no `timeoutMs` of its own. */
  readonly toolMs: number;
  /** The answer of somebody who is asked for an approval; the run then rests and can be resumed. */
  readonly approvalMs: number;
  /** A whole run. */
  readonly turnMs: number;
  /** One operation of the store. */
  readonly storeMs: number;
  /** What is left to the model and the tools to end by themselves once they were told to. */
  readonly settleMs: number;
  /** Making a new client. */
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
  /** Ends the wait at once, with the reason of the signal. */
  readonly signal?: AbortSignal;
};

/** Waits for work, but no longer than the limit says. Whatever the outcome, no timer and no listener is left behind. */
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

/** Lets time pass, unless the signal ends it. */
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
