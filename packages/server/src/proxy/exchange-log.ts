import type { Action, Loss, Severity, Verdict } from '@rethread/core';

/** How an exchange ended. */
export type Ending =
  /** The answer of the provider to what the client sent. */
  | 'passed'
  /** The answer to a request that was repaired before it left. */
  | 'repaired'
  /** The answer to a request that was refused, repaired by the refusal and sent again. */
  | 'repaired-after-refusal'
  /** There was no answer, or it broke off. */
  | 'failed'
  /** The client went away. */
  | 'aborted'
  /** The proxy refused the request. */
  | 'turned-away';

/** What happened to one request, without anything that was said in it. */
export type ExchangeEntry = {
  readonly id: number;
  /** ISO time of arrival. */
  readonly at: string;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly upstream?: string;
  readonly dialect?: string;
  readonly model?: string;
  readonly status?: number;
  readonly ending: Ending;
  readonly verdict?: Verdict;
  readonly findings?: readonly { readonly rule: string; readonly severity: Severity; readonly pointer: string }[];
  readonly repairs?: readonly {
    readonly rule: string;
    readonly action: Action;
    readonly loss: Loss;
    readonly pointer: string;
  }[];
  /** The beginning of the provider's refusal, without keys. */
  readonly refusal?: string;
  /** Why there was no answer, or why the request was turned away. */
  readonly reason?: string;
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** Time spent on judging and repairing. */
  readonly judgingMs: number;
  /** Time until the head of the answer was passed on. */
  readonly firstByteMs?: number;
  readonly totalMs: number;
};

export type ExchangeListener = (entry: ExchangeEntry) => void;

/** The newest exchanges, in the order in which they ended. */
export class ExchangeLog {
  readonly #entries: ExchangeEntry[] = [];
  readonly #listeners = new Set<ExchangeListener>();
  readonly #most: number;
  readonly #onError: (error: unknown) => void;
  #last = 0;

  constructor(most: number, onError: (error: unknown) => void) {
    this.#most = most;
    this.#onError = onError;
  }

  get entries(): readonly ExchangeEntry[] {
    return this.#entries;
  }

  add(entry: Omit<ExchangeEntry, 'id'>): void {
    const numbered = { id: ++this.#last, ...entry };
    // Half is forgotten at once, so that forgetting costs nothing per request.
    if (this.#entries.length >= this.#most) this.#entries.splice(0, Math.ceil(this.#most / 2));
    if (this.#most > 0) this.#entries.push(numbered);
    for (const listener of this.#listeners) {
      try {
        listener(numbered);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Calls the listener with each exchange from now on; the returned function ends that. */
  follow(listener: ExchangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
