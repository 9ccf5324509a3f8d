import type { Batch, Driver, Entry, Head, InfoChange, Lease } from './driver.ts';
import type { Environment } from './environment.ts';
import type { Owner } from './owner.ts';
import { encodeTaken, type NewRecord, type TakenRecord, takeRecord } from './record.ts';
import { halfImported } from './refusals.ts';
import { requireSame } from './repeated-operation.ts';
import { textOfBytes } from './search-text.ts';
import { StoreError } from './store-error.ts';

export type WriterOptions = {
  readonly driver: Driver;
  readonly environment: Environment;
  readonly owner: Owner;
  readonly leaseMs: number;
  readonly recordLimit: number;
};

export type AppendOptions = {
  /** Names the operation, so that a retry after an unknown outcome writes nothing. */
  readonly op?: string;
  /** The expected head. A newer record is a `conflict`. */
  readonly expect?: number;
};

export type Change = Omit<InfoChange, 'updatedAt'>;

type Appending = AppendOptions & { readonly change?: Change };

/** An append captured at the call. If it cannot be stored, it is refused in its turn, behind earlier appends. */
type Order = Appending & { readonly records: readonly TakenRecord[]; readonly refused?: unknown };

function takeOrder(records: readonly NewRecord[], options: Appending): Order {
  try {
    return { ...options, records: records.map(takeRecord) };
  } catch (refused) {
    return { ...options, records: [], refused };
  }
}

/** Wraps the promise, because an async function would await a bare one. */
type Submitted = { readonly done: Promise<Head> };

const ignore = (): void => undefined;

/**
 * The single writer of a session in a store. It acquires the lease at the first write and renews it. It sends batches
 * in call order without waiting for the previous one.
 */
export class Writer {
  readonly session: string;
  readonly #options: WriterOptions;
  #lease: Promise<Lease> | undefined;
  /** The newest record, including pending ones; undefined if unknown. */
  #head: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Work in the queue that the driver has not received yet. */
  #queued = 0;
  /** Appends that the driver has received and not settled. */
  readonly #flying = new Set<Promise<Head>>();
  #lost: StoreError | undefined;
  /** Counts failures, so that appends given before a failure was known are not written behind a gap. */
  #failures = 0;
  #cancelRenewal: () => void = ignore;
  #over = false;
  readonly #ended: (writer: Writer) => void;

  /** `ended` is called when other handles must not reuse this writer. */
  constructor(session: string, options: WriterOptions, ended: (writer: Writer) => void = ignore) {
    this.session = session;
    this.#options = options;
    this.#ended = ended;
  }

  /** True after an unused writer has released its lease: the next write needs a new writer. */
  get isOver(): boolean {
    return this.#over;
  }

  /** True once another process has taken the session. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  get holdsLease(): boolean {
    return this.#lease !== undefined && this.#lost === undefined;
  }

  /** Acquires the lease unless this writer holds it. */
  async lease(): Promise<Lease> {
    if (this.#lost !== undefined) throw this.#lost;
    this.#lease ??= this.#take();
    return this.#lease;
  }

  append(records: readonly NewRecord[], options: Appending = {}): Promise<Head> {
    const order = takeOrder(records, options);
    const failures = this.#failures;
    const submitted = this.#queue.then(async () => {
      if (failures !== this.#failures) throw this.#lost ?? this.#followsFailure();
      return this.#submit(order).catch((error: unknown) => this.#failed(error));
    });
    // A repeated operation writes nothing, so the next append gets its number only after the outcome is known.
    this.#enqueue(submitted.then(({ done }) => (order.op === undefined ? undefined : done)));
    return submitted.then(({ done }) => done);
  }

  /** Everything that comes later waits for this work, however it ends. */
  #enqueue(work: Promise<unknown>): void {
    const dequeue = (): void => void (this.#queued -= 1);
    this.#queued += 1;
    this.#queue = work.then(dequeue, dequeue);
  }

  /** Resolves when the driver has settled all appends. */
  async #landed(): Promise<void> {
    await Promise.allSettled(this.#flying);
  }

  /** Runs work under the lease while nothing is being written. The work may change the head. */
  exclusively<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      await this.#landed();
      try {
        return await work(await this.lease());
      } finally {
        this.#head = undefined;
      }
    });
    this.#enqueue(done);
    return done;
  }

  /** Ends this writer after its session was erased, for all who still hold it. */
  retire(): void {
    this.#forget();
    const sentence = `session ${JSON.stringify(this.session)} was erased`;
    this.#lost ??= new StoreError('missing', sentence, { session: this.session });
    this.#ended(this);
  }

  #forget(): void {
    this.#cancelRenewal();
    this.#lease = undefined;
    this.#head = undefined;
  }

  /**
   * Waits for pending writes and releases the lease. Later appends wait for the release and acquire a new lease; under
   * the old one they would be refused as stale.
   */
  async release(): Promise<void> {
    const released = this.#queue.then(() => this.#giveBack());
    this.#enqueue(released);
    try {
      await released;
    } finally {
      this.#endIfIdle();
    }
  }

  async #giveBack(): Promise<void> {
    await this.#landed();
    const lease = await this.#lease?.catch(ignore);
    this.#forget();
    if (lease !== undefined && this.#lost === undefined) await this.#options.driver.release(lease);
  }

  #endIfIdle(): void {
    if (this.#queued > 0 || this.#flying.size > 0 || this.#lease !== undefined) return;
    this.#over = true;
    this.#ended(this);
  }

  async #take(): Promise<Lease> {
    const { driver, owner, leaseMs } = this.#options;
    try {
      const lease = await driver.acquire(this.session, owner, leaseMs);
      this.#head = lease.head;
      this.#renewLater(lease);
      return lease;
    } catch (error) {
      this.#lease = undefined;
      throw error;
    }
  }

  #renewLater(lease: Lease): void {
    const { driver, environment, leaseMs } = this.#options;
    const held = this.#lease;
    const renew = async (): Promise<void> => {
      try {
        const renewed = await driver.renew(lease, leaseMs);
        if (this.#lease === held) this.#renewLater(renewed);
      } catch (error) {
        // A slow renewal may report a lease that was released and acquired again in the meantime.
        if (this.#lease !== held) return;
        if (error instanceof StoreError && (error.code === 'stale' || error.code === 'missing')) this.#lose(error);
        else this.#renewLater(lease);
      }
    };
    this.#cancelRenewal = environment.after(Math.ceil(leaseMs / 3), () => void renew());
  }

  #lose(error: StoreError): void {
    this.#cancelRenewal();
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#ended(this);
    this.#options.environment.tell({ kind: 'lease-lost', sentence: error.message, session: this.session });
  }

  async #submit(order: Order): Promise<Submitted> {
    const lease = await this.lease();
    return { done: this.#give(order, { lease, newest: this.#head ?? (await this.#ask(lease)) }) };
  }

  /** Sends a batch to the driver at once. */
  #give(order: Order, { lease, newest }: { readonly lease: Lease; readonly newest: number }): Promise<Head> {
    const { driver, environment } = this.#options;
    const { records, op, expect, change } = order;
    if ('refused' in order) throw order.refused;
    if (records.length === 0) {
      throw new StoreError('unstorable', 'there is no record to append; give at least one', { session: this.session });
    }
    if (lease.importing === true) throw halfImported(this.session);
    const believed = expect ?? newest;
    const at = new Date(environment.now()).toISOString();
    const entries = this.#entries(records, { believed, at, op });
    // Numbers are assigned at once, except for a named operation: it may turn out to write nothing.
    this.#head = op === undefined && believed === newest ? believed + entries.length : newest;
    const info = change === undefined ? { updatedAt: at } : { updatedAt: at, ...change };
    const batch = { entries, lease, expect: believed, info };
    const written = op === undefined ? driver.append(batch) : this.#appendOnce({ ...batch, op }, records);
    const outcome: Promise<Head> = written.then(
      (head) => {
        this.#flying.delete(outcome);
        return this.#wrote(head);
      },
      (error: unknown) => {
        this.#flying.delete(outcome);
        return this.#failed(error);
      },
    );
    this.#flying.add(outcome);
    return outcome;
  }

  /** Refuses a repeated operation whose records differ from the stored ones. */
  async #appendOnce(batch: Batch & { readonly op: string }, records: readonly TakenRecord[]): Promise<Head> {
    const { driver } = this.#options;
    const { seq, epoch, again } = await driver.append(batch);
    if (again === true) await requireSame(driver, this.session, { op: batch.op, head: seq, records });
    return { seq, epoch };
  }

  /** Asks the driver for the newest record, after all pending appends have settled. */
  async #ask(lease: Lease): Promise<number> {
    await this.#landed();
    return (await this.#options.driver.head(this.session))?.seq ?? lease.head;
  }

  #entries(
    records: readonly TakenRecord[],
    { believed, at, op }: { readonly believed: number; readonly at: string; readonly op: string | undefined },
  ): Entry[] {
    const { environment, recordLimit } = this.#options;
    return records.map((taken, index) => {
      const id = environment.id();
      const seq = believed + 1 + index;
      const bytes = encodeTaken(taken, op === undefined ? { seq, id, at } : { seq, id, at, op }, recordLimit);
      return { seq, id, kind: taken.kind, bytes, text: () => textOfBytes(bytes) };
    });
  }

  #wrote(head: Head): Head {
    if (this.#head !== undefined) this.#head = Math.max(this.#head, head.seq);
    return head;
  }

  /** The caller sent this append before the failure of an earlier one was known. */
  #followsFailure(): StoreError {
    const sentence = `session ${JSON.stringify(this.session)}: not written, because an earlier append failed; retry`;
    return new StoreError('conflict', sentence, { session: this.session });
  }

  #failed(error: unknown): never {
    throw this.#fail(error);
  }

  /** Records a failure and returns it. */
  #fail(error: unknown): unknown {
    this.#failures += 1;
    this.#head = undefined;
    if (error instanceof StoreError && error.code === 'stale') this.#lose(error);
    return error;
  }
}
