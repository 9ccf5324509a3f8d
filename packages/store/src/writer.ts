import type { Driver, Entry, Head, InfoChange, Lease } from './driver.ts';
import type { Environment } from './environment.ts';
import type { Owner } from './owner.ts';
import { type NewRecord, encodeRecord } from './record.ts';
import { halfImported } from './half-imported.ts';
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
  /** Settles when nothing is under way. */
  #flight: Promise<unknown> = Promise.resolve();
  #lost: StoreError | undefined;
  /** How often an append has failed, so that those given before it was known are not written behind a gap. */
  #failures = 0;
  #cancelRenewal: () => void = ignore;
  /** Appends and other work that was given and is not done. */
  #pending = 0;
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

  append(records: readonly NewRecord[], options: AppendOptions & { readonly change?: Change } = {}): Promise<Head> {
    const failures = this.#failures;
    const submitted = this.#queue.then(async () => {
      if (failures !== this.#failures) throw this.#lost ?? this.#followsFailure();
      return this.#submit(records, options).catch((error: unknown) => this.#failed(error));
    });
    // An operation that was done before writes nothing, so what comes behind it cannot be numbered before it is known.
    const settled = submitted.then(({ done }) => (options.op === undefined ? undefined : done));
    this.#queue = settled.catch(ignore);
    return this.#counted(submitted.then(({ done }) => done));
  }

  #counted<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    const settled = work.catch(ignore);
    void settled.then(() => {
      this.#pending -= 1;
      return undefined;
    });
    return work;
  }

  /** Does something with the lease while nothing is being written; it may change what the newest record is. */
  exclusively<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      await this.#flight;
      try {
        return await work(await this.lease());
      } finally {
        this.#head = undefined;
      }
    });
    this.#queue = done.catch(ignore);
    return this.#counted(done);
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

  /** Waits for what is under way and gives the lease back. */
  async release(): Promise<void> {
    await this.#queue;
    await this.#flight;
    const lease = await this.#lease?.catch(ignore);
    this.#forget();
    try {
      if (lease !== undefined && this.#lost === undefined) await this.#options.driver.release(lease);
    } finally {
      this.#endIfIdle();
    }
  }

  #endIfIdle(): void {
    if (this.#pending > 0 || this.#lease !== undefined) return;
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

  async #submit(
    records: readonly NewRecord[],
    { op, expect, change }: AppendOptions & { readonly change?: Change },
  ): Promise<Submitted> {
    const { driver, environment } = this.#options;
    if (records.length === 0) {
      throw new StoreError('unstorable', 'there is no record to append', { session: this.session });
    }
    const lease = await this.lease();
    if (lease.importing === true) throw halfImported(this.session);
    const newest = this.#head ?? (await this.#ask(lease));
    const believed = expect ?? newest;
    const at = new Date(environment.now()).toISOString();
    const entries = this.#entries(records, { believed, at, op });
    // Numbers that no operation can take back are given out at once; the others when it is known that it wrote.
    this.#head = op === undefined && believed === newest ? believed + entries.length : newest;
    const info = { updatedAt: at, ...change };
    const batch = { entries, lease, expect: believed, info, ...(op === undefined ? {} : { op }) };
    const done = driver.append(batch).then(
      (head) => this.#wrote(head),
      (error: unknown) => this.#failed(error),
    );
    // The outcomes are dropped: kept, each promise would hold all that came before it.
    this.#flight = Promise.allSettled([this.#flight, done]).then(ignore);
    return { done };
  }

  /** The newest record, once everything that may still change it is known. */
  async #ask(lease: Lease): Promise<number> {
    await this.#flight;
    return (await this.#options.driver.head(this.session))?.seq ?? lease.head;
  }

  #entries(
    records: readonly NewRecord[],
    { believed, at, op }: { readonly believed: number; readonly at: string; readonly op: string | undefined },
  ): Entry[] {
    const { environment, recordLimit } = this.#options;
    return records.map(({ kind, data }, index) => {
      const id = environment.id();
      const record = { seq: believed + 1 + index, id, at, kind, data, ...(op === undefined ? {} : { op }) };
      const bytes = encodeRecord(record, recordLimit);
      return { seq: record.seq, id, kind, bytes, text: () => textOfBytes(bytes) };
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
    this.#failures += 1;
    this.#head = undefined;
    if (error instanceof StoreError && error.code === 'stale') this.#lose(error);
    throw error;
  }
}
