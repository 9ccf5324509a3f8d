import type { Clock } from '../clock.ts';
import type { CallOptions, ModelErrorKind } from '../model-port.ts';

/** Why an exchange was stopped by us, or broke on the way. */
export type Failure = { readonly kind: ModelErrorKind; readonly message: string; readonly cause?: unknown };

type Waiter = { readonly reject: (error: unknown) => void; readonly alive: () => void };

/** Given out instead of an event when only a sign of life came. */
export const ALIVE: unique symbol = Symbol('alive');

/**
 * One request and the answer to it. Whatever is waited for in here ends when the caller aborts, when a deadline passes
 * or when the exchange is closed, whether or not the client in between knows of any of these.
 */
export class Exchange {
  readonly streams: boolean;
  readonly #clock: Clock;
  readonly #caller: AbortSignal;
  readonly #stop = new AbortController();
  readonly #waiters = new Set<Waiter>();
  readonly #timers = new Set<() => void>();
  #failure: Failure | undefined;

  constructor({ clock, signal, stream }: CallOptions) {
    this.streams = stream;
    this.#clock = clock;
    this.#caller = signal;
    signal.addEventListener('abort', this.#aborted, { once: true });
    if (signal.aborted) this.#aborted();
  }

  /** For the client: aborts with the exchange. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  now(): number {
    return this.#clock.now();
  }

  /** Stops the exchange; of several reasons the first counts. */
  fail(failure: Failure): void {
    if (this.#stop.signal.aborted) return;
    this.#failure = failure;
    this.#stop.abort(stopped(failure));
    for (const { reject } of this.#waiters) reject(stopped(failure));
  }

  /** A deadline; the function that is returned calls it off. */
  deadline(ms: number, failure: Failure): () => void {
    return this.after(ms, () => this.fail(failure));
  }

  after(ms: number, act: () => void): () => void {
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(disarm);
      act();
    });
    const disarm = (): void => {
      if (this.#timers.delete(disarm)) cancel();
    };
    this.#timers.add(disarm);
    return disarm;
  }

  /** The same promise, unless the exchange is stopped first. */
  async wait<T>(promise: PromiseLike<T>): Promise<T> {
    for (;;) {
      const settled = await this.waitOrAlive(promise);
      if (settled !== ALIVE) return settled;
    }
  }

  /** The same, or a sign of life, whichever comes first. */
  waitOrAlive<T>(promise: PromiseLike<T>): Promise<T | typeof ALIVE> {
    return new Promise((resolve, reject) => {
      const leave = (): void => void this.#waiters.delete(waiter);
      const waiter: Waiter = {
        reject: (error) => (leave(), reject(error)),
        alive: () => (leave(), resolve(ALIVE)),
      };
      this.#waiters.add(waiter);
      promise.then((value) => (leave(), resolve(value)), waiter.reject);
      if (this.#stop.signal.aborted) waiter.reject(this.#stop.signal.reason);
    });
  }

  /** The connection is alive, though there is nothing to show. */
  alive(): void {
    for (const { alive } of this.#waiters) alive();
  }

  /** Ends it all: nothing of the exchange is left, and a connection in the middle of a response is closed. */
  close(): void {
    this.fail({ kind: 'aborted', message: 'nobody listens any more' });
    this.#caller.removeEventListener('abort', this.#aborted);
    for (const disarm of this.#timers) disarm();
  }

  readonly #aborted = (): void => {
    this.fail({ kind: 'aborted', message: 'the call was aborted', cause: this.#caller.reason });
  };
}

/** What is thrown to whoever waits; clients take it for an abort, and the failure itself says more. */
function stopped({ message }: Failure): Error {
  return new DOMException(message, 'AbortError');
}
