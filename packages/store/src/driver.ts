import type { Environment } from './environment.ts';
import type { Owner } from './owner.ts';

/**
 * When a write is acknowledged. `strict`: it survives a power failure. `os`: it survives the end of this process. `{
 * batchMs }`: it survives both after that many milliseconds. `none`: in memory only.
 */
export type Durability = 'strict' | 'os' | 'none' | { readonly batchMs: number };

/** A record on its way to a driver: its bytes, and the fields that a driver may index. */
export type Entry = {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  /** One JSON object in UTF-8 without a line feed. A driver returns exactly these bytes and never parses them. */
  readonly bytes: Uint8Array;
  /** The search words, separated by spaces. Computed only when a driver with an index calls it. */
  readonly text?: () => string;
};

/** A record as a driver returns it. */
export type Stored = { readonly seq: number; readonly bytes: Uint8Array };

/** The newest record and lease. In an empty session `seq` is the base: 0, or the fork point. */
export type Head = { readonly seq: number; readonly epoch: number };

/** The head after an append. */
export type Appended = Head & {
  /** The operation was already stored: nothing was written, and this is the head from then. */
  readonly again?: true;
};

/** The right to write to one session. A lease with a higher epoch makes every use of this one `stale`. */
export type Lease = {
  readonly session: string;
  readonly owner: Owner;
  readonly epoch: number;
  /** Milliseconds by the driver's clock. No other owner may take the lease earlier. */
  readonly expires: number;
  /** The newest record when the lease was acquired or renewed. */
  readonly head: number;
  /** The session is an unfinished import, so only an import may write to it. */
  readonly importing?: true;
};

/** A fork shares the records of `from` up to and including `at`. */
export type ForkPoint = { readonly from: string; readonly at: number };

/** The fixed properties of a session. All strings may contain NUL and lone surrogates. */
export type NewSession = {
  readonly createdAt: string;
  readonly title?: string;
  /** The parent session, for delegation. */
  readonly parent?: string;
  readonly fork?: ForkPoint;
  /** The number before the first own record: 0, or `fork.at`. */
  readonly base: number;
  /** An import is filling the session. It stays incomplete until a batch says `imported`. */
  readonly importing?: true;
};

/** The information that `list` returns without reading the log. */
export type SessionInfo = NewSession & {
  readonly id: string;
  readonly updatedAt: string;
  readonly seq: number;
  /** Own records and their bytes, without those that a fork shares. */
  readonly records: number;
  readonly bytes: number;
  readonly archived: boolean;
  /** What is wrong with the session. A damaged session is still listed. */
  readonly damaged?: string;
};

/** Changes to the list entry, written together with the batch. */
export type InfoChange = {
  readonly updatedAt: string;
  readonly title?: string;
  readonly archived?: boolean;
  /** This batch completes the import. */
  readonly imported?: true;
};

/** Records that are written atomically. */
export type Batch = {
  /** At least one. Numbers follow `expect` without gaps, except in a salvaged log. */
  readonly entries: readonly Entry[];
  readonly lease: Lease;
  /** The head the writer expects. */
  readonly expect: number;
  /** A name unique within the session, which makes a retry harmless. */
  readonly op?: string;
  readonly info: InfoChange;
};

/** Records with `after` < seq < `before`, in ascending or, with `backward`, descending order. */
export type Range = {
  readonly after?: number;
  readonly before?: number;
  readonly backward?: boolean;
  readonly limit?: number;
};

/** Sessions in the driver's own fixed order; `after` is the last id already seen. */
export type ListQuery = {
  readonly archived?: boolean;
  /** Only children of this session. */
  readonly parent?: string;
  /** Only forks of this session. */
  readonly forkOf?: string;
  readonly after?: string;
  readonly limit?: number;
};

/**
 * For every query word, the record must contain a word that starts with it. Query words come from `wordsOf`: lower
 * case, letters and digits, at least one.
 */
export type SearchQuery = { readonly words: readonly string[]; readonly session?: string; readonly limit?: number };

export type Hit = { readonly session: string; readonly seq: number };

/** One fault in the stored bytes of a session. */
export type Damage = {
  /** A short hyphenated name: `torn-tail`, `checksum`, `missing`, `tail-lost`, … */
  readonly kind: string;
  readonly sentence: string;
  readonly seq?: number;
  readonly offset?: number;
  readonly bytes?: number;
};

export type DriverVerdict = {
  readonly head: Head;
  /** Undamaged records in the session's own log. */
  readonly records: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
};

/**
 * `prefix` keeps the records before the first damage, `salvage` every sound record. Both keep the damaged bytes in
 * quarantine.
 */
export type Mending = 'prefix' | 'salvage';

/**
 * A place that stores sessions. A driver stores bytes and never interprets them. Every rejection is a `StoreError`:
 * `missing` for an unknown session, `closed` for a closed driver.
 */
export type Driver = {
  /** Without the password. */
  readonly url: string;
  readonly durability: Durability;

  /**
   * Rejects with `exists` if the id is taken, and with `missing` if the source of a fork is not there. The check and
   * the write are atomic, so no fork of a just erased session can appear.
   */
  create(session: string, about: NewSession): Promise<void>;

  /**
   * Acquires the lease and raises the epoch. Rejects with a `conflict` that names the owner while another owner holds a
   * lease that has not expired, unless that owner is proved dead. The same owner may acquire it again at any time.
   */
  acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease>;

  /** Extends the lease, even after it expired, unless another owner has taken it: then `stale`. */
  renew(lease: Lease, ttlMs: number): Promise<Lease>;

  /** Releases the lease, so that the next writer need not wait. Releasing a lost lease is not an error. */
  release(lease: Lease): Promise<void>;

  /**
   * Writes the batch and resolves once it is durable at the driver's level. Atomic with the write, in this order: A
   * stored `op` resolves with its head and `again`, and writes nothing; ops are remembered for at least the newest 10
   * 000 records. An outdated lease is `stale`. An `expect` that is not the head is a `conflict` that names the head
   * and, if known, the owner. An expired lease still writes.
   *
   * Batches of one session are written in call order. A caller may send the next batch before the last one resolves. If
   * a batch fails, the batches behind it fail too.
   */
  append(batch: Batch): Promise<Appended>;

  head(session: string): Promise<Head | undefined>;
  info(session: string): Promise<SessionInfo | undefined>;

  /**
   * Reads the session's own records in chunks. A writer never blocks it, and it returns only durable or acknowledged
   * records. Damage in the range rejects with `damaged` after the sound records before it.
   *
   * The bytes are valid until the caller asks for the next chunk. Copy what you keep.
   */
  read(session: string, range: Range): AsyncIterable<readonly Stored[]>;

  list(query: ListQuery): AsyncIterable<SessionInfo>;
  search(query: SearchQuery): AsyncIterable<Hit>;

  /**
   * Reads the records after a number, then waits for new ones, until the signal ends it without an error. The bytes are
   * valid as in `read`.
   */
  follow(
    session: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<readonly Stored[]>;

  /** Checks every record and reports what is wrong instead of rejecting. */
  verify(session: string): Promise<DriverVerdict>;

  /** Makes a damaged session writable again and keeps the damaged bytes. Optional: absent where it is never needed. */
  mend?(lease: Lease, how: Mending): Promise<DriverVerdict>;

  /**
   * Removes the session and everything that belongs to it, including its search index. Rejects with `stale` for an
   * outdated lease, and with a `conflict` that names the forks while forks share its records.
   */
  erase(lease: Lease): Promise<Erased>;

  /** Stops everything that is running, after pending appends have finished. */
  close(): Promise<void>;
};

export type Erased = {
  readonly records: number;
  readonly bytes: number;
  /** Where copies remain and what will remove them; absent if none remain. */
  readonly remains?: readonly string[];
};

export type DriverOptions = {
  readonly environment: Environment;
  /** The requested level. A driver that cannot provide it rejects with `unsafe` or `unsupported`. */
  readonly durability: Durability;
};

/** Opens the place that a URL names, after `open.ts` has removed `durability` from the query. */
export type OpenDriver = (url: string, options: DriverOptions) => Promise<Driver>;

/** Whether a query selects a session, regardless of its position in the list. */
export const isListed = (
  info: Pick<SessionInfo, 'archived' | 'parent' | 'fork'>,
  { archived, parent, forkOf }: ListQuery,
): boolean =>
  (archived === undefined || info.archived === archived) &&
  (parent === undefined || info.parent === parent) &&
  (forkOf === undefined || info.fork?.from === forkOf);
