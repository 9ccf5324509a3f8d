import type { Meta } from './line.ts';

/** What is asked about a batch in a journal: whose it is, under which lease, and where in the journal it ends. */
export type Standing = { readonly name: string; readonly epoch: number; readonly end: number };

const everySession = '*';

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/**
 * What others have written into a journal, in the order in which it stands there. Who takes a session over claims it,
 * and from then on somebody has to say up to where in the journal earlier leases count. That may be the one who takes
 * over, the owner of the journal, or anybody who comes by: the first to say it decides, for all.
 */
export class Claims {
  /** Sessions that were erased by others, who ask that the journal goes as soon as it can. */
  readonly erased: Set<string> = new Set();
  /** Whether the journal was taken away from its owner. */
  gone = false;
  /** By session and epoch, the bound of the claim; undefined until there is one. */
  readonly #bounds = new Map<string, Map<number, number | undefined>>();

  /** Takes note of a line that stands at a place of the journal. */
  add(meta: Meta, at: number): void {
    const { claim, bound, seal, erased, e } = meta;
    if (typeof erased === 'string') this.erased.add(erased);
    if (typeof claim === 'string') this.#claim(claim, asNumber(e), undefined);
    if (typeof bound === 'string') this.#claim(bound, asNumber(e), asNumber(meta['at']));
    // In the first version everybody appended to one file, so that a claim was its own bound.
    if (typeof seal === 'string') this.#claim(seal, asNumber(e), at);
    if (seal === everySession) this.gone = true;
  }

  #claim(name: string, epoch: number, bound: number | undefined): void {
    const bounds = this.#bounds.get(name) ?? new Map<number, number | undefined>();
    this.#bounds.set(name, bounds);
    bounds.set(epoch, bounds.get(epoch) ?? bound);
  }

  /** Whether a batch counts: no later lease has a bound before its end. A claim without a bound changes nothing yet. */
  allows({ name, epoch, end }: Standing): boolean {
    if (this.#bounds.size === 0) return true;
    for (const key of [name, everySession]) {
      for (const [claimed, bound] of this.#bounds.get(key) ?? []) {
        if (claimed > epoch && bound !== undefined && end > bound) return false;
      }
    }
    return true;
  }

  /** The epochs for which nobody has said yet what counts. */
  open(name: string): number[] {
    return [...(this.#bounds.get(name) ?? [])].flatMap(([epoch, bound]) => (bound === undefined ? [epoch] : []));
  }

  /** How often a session was claimed. */
  count(name: string): number {
    return this.#bounds.get(name)?.size ?? 0;
  }

  /** The highest epoch for which a session was claimed; 0 for none. */
  newest(name: string): number {
    return Math.max(0, ...(this.#bounds.get(name)?.keys() ?? []), ...(this.#bounds.get(everySession)?.keys() ?? []));
  }
}
