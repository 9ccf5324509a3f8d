import type { Meta } from './line.ts';

/** A batch in a journal: its session, its lease, and where it ends. */
export type Standing = { readonly name: string; readonly epoch: number; readonly end: number };

const everySession = '*';

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/**
 * The lines that others appended to a journal, in order. A process that takes a session over claims it. Then somebody
 * must set the bound up to which earlier leases count: the new holder, the journal's owner, or any reader. The first
 * bound decides for all.
 */
export class Claims {
  /** Erased sessions; their erasers ask for the journal to be removed soon. */
  readonly erased: Set<string> = new Set();
  /** Whether another process has removed the journal. */
  gone = false;
  /** The bound of each claim, by session and epoch; undefined until somebody sets it. */
  readonly #bounds = new Map<string, Map<number, number | undefined>>();

  add(meta: Meta, at: number): void {
    const { claim, bound, seal, erased, e } = meta;
    if (typeof erased === 'string') this.erased.add(erased);
    if (typeof claim === 'string') this.#claim(claim, asNumber(e), undefined);
    if (typeof bound === 'string') this.#claim(bound, asNumber(e), asNumber(meta['at']));
    // In journal version 1 all processes append to one file, so a claim is its own bound.
    if (typeof seal === 'string') this.#claim(seal, asNumber(e), at);
    if (seal === everySession) this.gone = true;
  }

  #claim(name: string, epoch: number, bound: number | undefined): void {
    const bounds = this.#bounds.get(name) ?? new Map<number, number | undefined>();
    this.#bounds.set(name, bounds);
    bounds.set(epoch, bounds.get(epoch) ?? bound);
  }

  /** Whether a batch counts: no later lease has a bound before its end. A claim without a bound has no effect yet. */
  allows({ name, epoch, end }: Standing): boolean {
    if (this.#bounds.size === 0) return true;
    for (const key of [name, everySession]) {
      for (const [claimed, bound] of this.#bounds.get(key) ?? []) {
        if (claimed > epoch && bound !== undefined && end > bound) return false;
      }
    }
    return true;
  }

  /** The claims without a bound. */
  open(name: string): number[] {
    return [...(this.#bounds.get(name) ?? [])].flatMap(([epoch, bound]) => (bound === undefined ? [epoch] : []));
  }

  /** How often a session was claimed. */
  count(name: string): number {
    return this.#bounds.get(name)?.size ?? 0;
  }

  /** The highest claimed epoch of a session; 0 if none. */
  newest(name: string): number {
    return Math.max(0, ...(this.#bounds.get(name)?.keys() ?? []), ...(this.#bounds.get(everySession)?.keys() ?? []));
  }
}
