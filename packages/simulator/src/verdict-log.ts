import type { ApiName } from './apis/api.ts';
import type { Refusal } from './judges/docket.ts';

/** What became of one request. */
export interface Verdict {
  /** Number of the request, counted from 1. */
  readonly n: number;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
  readonly api: ApiName;
  readonly method: string;
  /** Without its query, which may hold a key. */
  readonly path: string;
  /** HTTP status of the answer; 0 when the connection was closed before the head. */
  readonly status: number;
  /** Whether the real API would take this request, whatever fault befell the answer. */
  readonly accepted: boolean;
  /** Every reason to refuse it; the first is the one that was answered. */
  readonly refusals: readonly Refusal[];
  readonly model: string | undefined;
  readonly streaming: boolean;
  /** The fault that befell the answer; one that found no hold is not named. */
  readonly fault?: string;
  /** The body as it was sent, where the simulator keeps bodies. */
  readonly body?: unknown;
}

export type VerdictListener = (verdict: Verdict) => void;

/** Every verdict in the order of decision; the oldest are forgotten when there are too many. */
export class VerdictLog {
  readonly #verdicts: Verdict[] = [];
  readonly #listeners = new Set<VerdictListener>();
  readonly #errors: unknown[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  add(verdict: Verdict): void {
    // Half is forgotten at once, so that forgetting costs nothing per request.
    if (this.#verdicts.length >= this.#limit) this.#verdicts.splice(0, Math.ceil(this.#limit / 2));
    if (this.#limit > 0) this.#verdicts.push(verdict);
    for (const listener of this.#listeners) {
      try {
        listener(verdict);
      } catch (error) {
        this.#errors.push(error);
      }
    }
  }

  /** Throws what listeners threw: in the middle of a request it would have kept the client waiting. */
  throwErrors(): void {
    const errors = this.#errors.splice(0);
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} verdict listeners threw`);
    if (errors.length === 1) throw errors[0];
  }

  /** Calls the listener with each verdict from now on; the function that is returned ends that. */
  listen(listener: VerdictListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
