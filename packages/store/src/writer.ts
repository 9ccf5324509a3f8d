import type { Batch, Driver, Entry, Head, InfoChange, Lease } from './driver.ts';
import type { Environment } from './environment.ts';
import type { Owner } from './owner.ts';
import { encodeTaken, type NewRecord, type TakenRecord, takeRecord } from './record.ts';
import { halfImported } from './refusals.ts';
import { requireSame } from './same-operation.ts';
import { textOfBytes } from './search-text.ts';
import { StoreError } from './store-error.ts';

/** What a writer needs to know beside its session. */
export type WriterOptions = {
  readonly driver: Driver;
  readonly environment: Environment;
  readonly owner: Owner;
  readonly leaseMs: number;
  readonly recordLimit: number;
};

export type AppendOptions = {
  /** Names the operation, so that doing it again after an unknown outcome writes nothing. */
  readonly op?: string;
  /** The newest record that the writer believes in; anything newer is a `conflict`. */
  readonly expect?: number;
};

/** What `list` is to tell from now on. */
export type Change = Omit<InfoChange, 'updatedAt'>;

type Appending = AppendOptions & { readonly change?: Change };

/** An append as it was when it was asked for; why it cannot be stored is told in its turn, behind what came before. */
type Order = Appending & { readonly records: readonly TakenRecord[]; readonly refused?: unknown };

function takeOrder(records: readonly NewRecord[], options: Appending): Order {
  try {
    return { ...options, records: records.map(takeRecord) };
  } catch (refused) {
    return { ...options, records: [], refused };
  }
}

/** A promise in an object, because an async function would wait for a bare one. */
type Submitted = { readonly done: Promise<Head> };

const ignore = (): void => undefined;

/**
 * The one writer that a store has for a session. It takes the lease when it first writes, renews it while it is held,
 * and gives batches to the driver in the order of the calls without waiting for one before it sends the next.
 */
export class Writer {
  readonly session: string;
  readonly #options: WriterOptions;
  #lease: Promise<Lease> | undefined;
  /** The newest record, with those that are under way; undefined when it has to be asked for. */
  #head: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** What stands in the queue and was not given to the driver. */
  #queued = 0;
  /** What was given to the driver and is not decided. */
  readonly #flying = new Set<Promise<Head>>();
  #lost: StoreError | undefined;
  /** How often an append has failed, so that those given before it was known are not written behind a gap. */
  #failures = 0;
  #cancelRenewal: () => void = ignore;
  #over = false;
  readonly #ended: (writer: Writer) => void;

  /** `ended` is called when there is no reason any more to keep this writer for others. */
  constructor(session: string, options: WriterOptions, ended: (writer: Writer) => void = ignore) {
    this.session = session;
    this.#options = options;
    this.#ended = ended;
  }

  /** True once it gave its lease back and nobody wanted it since: whoever writes next takes another writer. */
  get isOver(): boolean {
    return this.#over;
  }

  /** True once somebody else has taken the session: this writer is of no use any more. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** True while this store has the right to write. */
  get holdsLease(): boolean {
    return this.#lease !== undefined && this.#lost === undefined;
  }

  /** Takes the lease, if this writer does not have it. */
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
    // An operation that was done before writes nothing, so what comes behind it cannot be numbered before it is known.
    this.#enqueue(submitted.then(({ done }) => (order.op === undefined ? undefined : done)));
    return submitted.then(({ done }) => done);
  }

  /** Whatever is given from now on waits for this, however it ends. */
  #enqueue(work: Promise<unknown>): void {
    const dequeue = (): void => void (this.#queued -= 1);
    this.#queued += 1;
    this.#queue = work.then(dequeue, dequeue);
  }

  /** Settles when all that the driver was given before is decided. */
  async #landed(): Promise<void> {
    await Promise.allSettled(this.#flying);
  }

  /** Does something with the lease while nothing is being written; it may change what the newest record is. */
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

  /** Ends this writer after its session is gone, also for those who still hold it. */
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
   * Waits for what is under way and gives the lease back. What is given meanwhile waits for that and takes the lease
   * anew: under the old one it would be overtaken by the new one, and this writer would take itself for a thief.
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
        // A renewal that took long may tell of a lease that was given back meanwhile, and taken again.
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

  /** Hands a batch to the driver, at once. */
  #give(order: Order, { lease, newest }: { readonly lease: Lease; readonly newest: number }): Promise<Head> {
    const { driver, environment } = this.#options;
    const { records, op, expect, change } = order;
    if ('refused' in order) throw order.refused;
    if (records.length === 0) {
      throw new StoreError('unstorable', 'there is no record to append', { session: this.session });
    }
    if (lease.importing === true) throw halfImported(this.session);
    const believed = expect ?? newest;
    const at = new Date(environment.now()).toISOString();
    const entries = this.#entries(records, { believed, at, op });
    // Numbers that no operation can take back are given out at once; the others when it is known that it wrote.
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

  /** What was stored before under the name of the operation must be what is given now. */
  async #appendOnce(batch: Batch & { readonly op: string }, records: readonly TakenRecord[]): Promise<Head> {
    const { driver } = this.#options;
    const { seq, epoch, again } = await driver.append(batch);
    if (again === true) await requireSame(driver, this.session, { op: batch.op, head: seq, records });
    return { seq, epoch };
  }

  /** The newest record, once everything that may still change it is known. */
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

  /** Whoever gave this append did not know yet that the one before it would fail. */
  #followsFailure(): StoreError {
    const sentence = `session ${JSON.stringify(this.session)}: an append before this one failed, so it was not done`;
    return new StoreError('conflict', sentence, { session: this.session });
  }

  #failed(error: unknown): never {
    throw this.#fail(error);
  }

  /** Takes note of a failure, and gives it back. */
  #fail(error: unknown): unknown {
    this.#failures += 1;
    this.#head = undefined;
    if (error instanceof StoreError && error.code === 'stale') this.#lose(error);
    return error;
  }
}
