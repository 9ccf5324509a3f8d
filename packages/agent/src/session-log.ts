import type { SessionRecord } from '@rethread/core';
import { type Head, type NewRecord, type Session, StoreError, type StoreErrorCode } from '@rethread/store';

import type { Clock } from './clock.ts';
import { within } from './deadlines.ts';

const MOST_ATTEMPTS = 5;

const REFUSALS: ReadonlySet<StoreErrorCode> = new Set(['conflict', 'stale', 'unstorable', 'full', 'missing', 'closed']);

/** Whether a write surely did not happen. */
const isRefusal = (error: unknown): boolean => StoreError.is(error) && REFUSALS.has(error.code);

type Kept = { seq: number; readonly kind: string; readonly data: unknown };

/**
 * The log of one session as a run sees it: the records read at the start, and its own. Own writes are visible at once,
 * so that nothing is decided twice.
 */
export class SessionLog {
  readonly session: Session;
  readonly #clock: Clock;
  readonly #storeMs: number;
  #records: Kept[] = [];
  #newest = 0;
  #claimed = false;
  #doubtful = false;
  #flight: Promise<unknown> = Promise.resolve();
  #loadMs = 0;

  constructor(session: Session, { clock, storeMs }: { readonly clock: Clock; readonly storeMs: number }) {
    this.session = session;
    this.#clock = clock;
    this.#storeMs = storeMs;
  }

  /** All records, as core reads them. */
  get records(): readonly SessionRecord[] {
    return this.#records as unknown as readonly SessionRecord[];
  }

  /** The time it took to read the log. */
  get loadMs(): number {
    return this.#loadMs;
  }

  /** True once this run has written to the session. */
  get isClaimed(): boolean {
    return this.#claimed;
  }

  /** True after a failed write: its outcome is unknown until the log is read again. */
  get isDoubtful(): boolean {
    return this.#doubtful;
  }

  /**
   * Runs work that starts with a look at the log. The first write takes the lease. If another process wrote in between,
   * nothing was written and the work starts again.
   */
  async afresh<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.load();
      try {
        return await work();
      } catch (error) {
        const moved = StoreError.is(error) && error.code === 'conflict' && error.details.expected !== undefined;
        if (!moved || this.#claimed || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async load(): Promise<void> {
    const begun = this.#clock.now();
    const records = await this.#wait(this.session.load());
    this.#loadMs = this.#clock.now() - begun;
    this.#records = [...records];
    this.#newest = records.at(-1)?.seq ?? 0;
    this.#doubtful = false;
  }

  /** Resolves when the records are durable. Batches are written in call order. */
  async append(...records: readonly NewRecord[]): Promise<void> {
    if (records.length === 0) return;
    const kept = records.map(({ kind, data }): Kept => ({ seq: Infinity, kind, data }));
    this.#records.push(...kept);
    const written = this.session.append(records, this.#claimed ? {} : { expect: this.#newest });
    this.#flight = Promise.allSettled([this.#flight, written]);
    try {
      this.#number(kept, await this.#wait(written));
      this.#claimed = true;
    } catch (error) {
      this.#doubtful ||= !isRefusal(error);
      this.#records = this.#records.filter((record) => !kept.includes(record));
      throw error;
    }
  }

  /** Another process may have added a child link or a pin, so the log is read again. */
  async settled(): Promise<readonly SessionRecord[]> {
    await this.#wait(this.#flight);
    const { seq } = await this.#wait(this.session.info());
    if (seq !== this.#newest || this.#records.length !== this.#count(seq)) await this.load();
    return this.records;
  }

  async close(): Promise<void> {
    await this.#wait(this.session.close());
  }

  #count(seq: number): number {
    const first = this.#records[0]?.seq ?? seq + 1;
    return seq - first + 1;
  }

  #number(kept: readonly Kept[], { seq }: Head): void {
    for (const [index, each] of kept.entries()) each.seq = seq - kept.length + 1 + index;
    this.#newest = Math.max(this.#newest, seq);
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    return within(work, { clock: this.#clock, deadline: 'storeMs', ms: this.#storeMs });
  }
}
