import type { Clock } from '../clock.ts';
import type { CallOptions, ModelErrorKind } from '../model-port.ts';

/** Why we stopped an exchange, or why it broke. */
export type Failure = { readonly kind: ModelErrorKind; readonly message: string; readonly cause?: unknown };

type Waiter = { readonly reject: (error: unknown) => void; readonly alive: () => void };

/** Yielded instead of an event on a mere sign of life. */
export const ALIVE: unique symbol = Symbol('alive');

/**
 * One request and its answer. Every wait inside ends with an abort, a deadline or `close`, whether or not the client
 * supports them.
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

  /** Stops the exchange. The first reason counts. */
  fail(failure: Failure): void {
    if (this.#stop.signal.aborted) return;
    this.#failure = failure;
    this.#stop.abort(stopped(failure));
    for (const { reject } of this.#waiters) reject(stopped(failure));
  }

  /** Starts a deadline; returns a function that cancels it. */
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

  /** The promise, unless the exchange stops first. */
  async wait<T>(promise: PromiseLike<T>): Promise<T> {
    for (;;) {
      const settled = await this.waitOrAlive(promise);
      if (settled !== ALIVE) return settled;
    }
  }

  /** The promise or a sign of life, whichever comes first. */
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

  /** Reports that the connection is alive. */
  alive(): void {
    for (const { alive } of this.#waiters) alive();
  }

  /** Releases everything and closes a connection in the middle of a response. */
  close(): void {
    this.fail({ kind: 'aborted', message: 'nobody listens any more' });
    this.#caller.removeEventListener('abort', this.#aborted);
    for (const disarm of this.#timers) disarm();
  }

  readonly #aborted = (): void => {
    this.fail({ kind: 'aborted', message: 'the call was aborted', cause: this.#caller.reason });
  };
}

/** The error for all waiters. Clients take it for an abort; the failure itself has the details. */
function stopped({ message }: Failure): Error {
  return new DOMException(message, 'AbortError');
}
