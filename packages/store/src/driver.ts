import type { Environment } from './environment.ts';
import type { Owner } from './owner.ts';

/**
 * When a write is acknowledged. `strict`: it survives a power cut. `os`: it survives the end of this process. A batch:
 * it survives both once that many milliseconds have passed. `none`: it ends with this process; only in memory.
 */
export type Durability = 'strict' | 'os' | 'none' | { readonly batchMs: number };

/** A record as it is given to a driver: its bytes, and what a driver may index without reading them. */
export type Entry = {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  /** One JSON object in UTF-8 without a line feed. A driver gives back exactly these bytes and never parses them. */
  readonly bytes: Uint8Array;
  /** The words that `search` finds the record by, with spaces between them; made when a driver with an index asks. */
  readonly text?: () => string;
};

/** A record as a driver gives it back. */
export type Stored = { readonly seq: number; readonly bytes: Uint8Array };

/** The newest record and the newest lease. `seq` is the base of a session (0 unless it is a fork) while it is empty. */
export type Head = { readonly seq: number; readonly epoch: number };

/** The head that an append made. */
export type Appended = Head & {
  /** The operation was stored before: nothing was written now, and this is the head that it made then. */
  readonly again?: true;
};

/** The right to write to one session. A higher epoch ends it: from then on everything it is used for is `stale`. */
export type Lease = {
  readonly session: string;
  readonly owner: Owner;
  readonly epoch: number;
  /** In milliseconds, by the clock of the driver. Nobody else may take the lease before. */
  readonly expires: number;
  /** The newest record when the lease was taken or renewed. */
  readonly head: number;
  /** The session is one that an import has not come to the end of, so only an import may write to it. */
  readonly importing?: true;
};

/** The session whose records up to `at` are also the first records of a fork. */
export type ForkPoint = { readonly from: string; readonly at: number };

/** What is fixed when a session is made. All texts are any string at all, with NUL and lone surrogates. */
export type NewSession = {
  readonly createdAt: string;
  readonly title?: string;
  /** The session that this one works for. */
  readonly parent?: string;
  readonly fork?: ForkPoint;
  /** The first record has the number after this one; 0, or `fork.at`. */
  readonly base: number;
  /** It is filled by an import, and is only a part of what it shall be until a batch says that this is over. */
  readonly importing?: true;
};

/** What `list` tells about a session without reading its log. */
export type SessionInfo = NewSession & {
  readonly id: string;
  /** The `at` of the newest record, or `createdAt`. */
  readonly updatedAt: string;
  readonly seq: number;
  /** Records and bytes in its own log, without what a fork shares. */
  readonly records: number;
  readonly bytes: number;
  readonly archived: boolean;
  /** A sentence about what is wrong with it; such a session is listed all the same. */
  readonly damaged?: string;
};

/** What a batch changes in the answer of `list`, in the same write. */
export type InfoChange = {
  readonly updatedAt: string;
  readonly title?: string;
  readonly archived?: boolean;
  /** The import that made the session has come to its end with this batch. */
  readonly imported?: true;
};

/** What is written together, wholly or not at all. */
export type Batch = {
  /** At least one; the numbers rise by one from `expect`, with gaps only where a damaged log was salvaged. */
  readonly entries: readonly Entry[];
  readonly lease: Lease;
  /** The newest record that the writer believes in. */
  readonly expect: number;
  /** Names the batch within its session, so that a retry is harmless. */
  readonly op?: string;
  readonly info: InfoChange;
};

/** Records with `after` < seq < `before`, from the lowest up or, backward, from the highest down. */
export type Range = {
  readonly after?: number;
  readonly before?: number;
  readonly backward?: boolean;
  readonly limit?: number;
};

/** Sessions in an order of the driver's own that never changes; `after` is the id of the last one seen. */
export type ListQuery = {
  readonly archived?: boolean;
  /** Only sessions that work for this one. */
  readonly parent?: string;
  /** Only sessions that share records of this one. */
  readonly forkOf?: string;
  readonly after?: string;
  readonly limit?: number;
};

/**
 * Records whose text has, for every word, a word that begins with it. Words are those of `wordsOf`: lower case, letters
 * and digits only, at least one.
 */
export type SearchQuery = { readonly words: readonly string[]; readonly session?: string; readonly limit?: number };

export type Hit = { readonly session: string; readonly seq: number };

/** One thing that is wrong with the stored bytes of a session. */
export type Damage = {
  /** What kind of damage, in one or two words joined by a hyphen: `torn-tail`, `checksum`, `missing`, `tail-lost`, … */
  readonly kind: string;
  readonly sentence: string;
  readonly seq?: number;
  readonly offset?: number;
  readonly bytes?: number;
};

export type DriverVerdict = {
  readonly head: Head;
  /** Sound records in the session's own log. */
  readonly records: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
};

/** `prefix`: what stands before the first damage. `salvage`: every sound record. Both keep the damaged bytes aside. */
export type Mending = 'prefix' | 'salvage';

/**
 * All that a place to store sessions has to do. A driver stores bytes: what they mean is decided above it. Everything
 * rejects with a `StoreError` and with nothing else; an unknown session is `missing`, a closed driver `closed`.
 */
export type Driver = {
  /** Where the sessions are, without any password. */
  readonly url: string;
  readonly durability: Durability;

  /**
   * Rejects with `exists` when the id is taken. A fork of a session that is not there is `missing`, decided in the same
   * write: no fork is ever made of a session that is erased at that moment.
   */
  create(session: string, about: NewSession): Promise<void>;

  /**
   * Takes the lease and raises the epoch. While somebody else holds it, it has not expired and its owner is not proved
   * dead, this is a `conflict` that names the owner. The same owner id may take it again at any time.
   */
  acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease>;

  /** Prolongs the lease, also one that expired if nobody took it since; otherwise `stale`. */
  renew(lease: Lease, ttlMs: number): Promise<Lease>;

  /** Gives the lease back, so that the next writer need not wait. One that is lost already is no error. */
  release(lease: Lease): Promise<void>;

  /**
   * Writes the batch and resolves once it is durable at the driver's level. In this order, all in the same write: an
   * `op` that is stored already resolves with the head that it made and `again`, and writes nothing (an op is
   * remembered at least for the newest 10 000 records); a lease that is not the newest is `stale`; an `expect` that is
   * not the head is a `conflict` that names the head and, if known, the owner. Whether the lease expired does not
   * matter here.
   *
   * Batches of one session are written in the order of the calls, and one may be given before the last has resolved:
   * when a batch fails, those behind it fail too.
   */
  append(batch: Batch): Promise<Appended>;

  head(session: string): Promise<Head | undefined>;
  info(session: string): Promise<SessionInfo | undefined>;

  /**
   * Gives the session's own records, some at a time, never blocked by a writer and never more than what is durable or
   * was acknowledged. Damage in the range is `damaged`, after the sound records that stand before it.
   *
   * The bytes are good until the caller asks for the next records, which may be read over them: who keeps any copies
   * them.
   */
  read(session: string, range: Range): AsyncIterable<readonly Stored[]>;

  list(query: ListQuery): AsyncIterable<SessionInfo>;
  search(query: SearchQuery): AsyncIterable<Hit>;

  /**
   * Gives the records after a number, then waits for more, until the signal ends it without an error. The bytes are
   * given as `read` gives them.
   */
  follow(
    session: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncIterable<readonly Stored[]>;

  /** Reads every record and proves it; what is wrong is told, not thrown. */
  verify(session: string): Promise<DriverVerdict>;

  /** Makes a damaged session writable again, in a new place: the damaged bytes are kept. Absent where never needed. */
  mend?(lease: Lease, how: Mending): Promise<DriverVerdict>;

  /**
   * Removes the session with everything that belongs to it, also from the search index; a `stale` lease may not. While
   * forks share its records it is a `conflict` that names them, decided in the same write.
   */
  erase(lease: Lease): Promise<Erased>;

  /** Ends everything that is under way; waits for what was given to `append`. */
  close(): Promise<void>;
};

/** What an erasure removed. */
export type Erased = {
  readonly records: number;
  readonly bytes: number;
  /** Where copies of the content still are, and what will remove them, in sentences; absent when there are none. */
  readonly remains?: readonly string[];
};

/** What a driver is opened with. */
export type DriverOptions = {
  readonly environment: Environment;
  /** What the caller asked for; a driver that cannot promise it rejects with `unsafe` or `unsupported`. */
  readonly durability: Durability;
};

/**
 * Opens the place that a URL names, whose `?…` part was read already. Each driver exports one of these, and `open.ts`
 * loads it when it is asked for.
 */
export type OpenDriver = (url: string, options: DriverOptions) => Promise<Driver>;

/** Whether a query asks for a session, wherever in the list it stands. */
export const isListed = (
  info: Pick<SessionInfo, 'archived' | 'parent' | 'fork'>,
  { archived, parent, forkOf }: ListQuery,
): boolean =>
  (archived === undefined || info.archived === archived) &&
  (parent === undefined || info.parent === parent) &&
  (forkOf === undefined || info.fork?.from === forkOf);

/** How the durability is written in a URL and shown to people. */
export function durabilityName(durability: Durability): string {
  return typeof durability === 'string' ? durability : `batch(${durability.batchMs})`;
}
