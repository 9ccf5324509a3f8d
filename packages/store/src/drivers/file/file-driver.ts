import type {
  Appended,
  Batch,
  Driver,
  DriverVerdict,
  Durability,
  Erased,
  Head,
  Hit,
  Lease,
  ListQuery,
  Mending,
  NewSession,
  Range,
  SearchQuery,
  SessionInfo,
  Stored,
} from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { isFound } from '../../search-text.ts';
import { sharedRecords } from '../../shared-records.ts';
import { StoreError } from '../../store-error.ts';
import { knownBlobs, spill } from './blobs.ts';
import { createSession } from './create.ts';
import { eraseFolder, leave } from './erase.ts';
import { failure } from './failure.ts';
import { findOperations } from './find-operations.ts';
import { GroupCommit } from './group-commit.ts';
import { Journals } from './journal-file.ts';
import { folderOf, type Place } from './layout.ts';
import { Leases, newestEpoch } from './leases.ts';
import { listSessions, tellSession } from './listing.ts';
import { missing } from './log-file.ts';
import { mendLog, survey } from './mend.ts';
import type { Operations } from './operations.ts';
import { judgeTail } from './recover.ts';
import { endOf, openView, readBackward, readForward, type View } from './view.ts';
import type { Writer } from './writer.ts';

const pollMs = 50;
const mendingMs = 600_000;

export class FileDriver implements Driver {
  readonly url: string;
  readonly durability: Durability;
  readonly #place: Place;
  readonly #journals: Journals;
  readonly #commit: GroupCommit;
  readonly #leases: Leases;
  readonly #end = new AbortController();
  /** Those who wait for more of a session. */
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(url: string, place: Place) {
    this.url = url;
    this.durability = place.durability;
    this.#place = place;
    this.#journals = new Journals(place);
    const owner = place.environment.owner();
    this.#commit = new GroupCommit(place, owner, (session) => this.#wake(session));
    this.#leases = new Leases(place, this.#journals, this.#commit);
  }

  /** How much was written together, for measurements. */
  get counts(): GroupCommit['counts'] {
    return this.#commit.counts;
  }

  /** How much is kept in memory that a store which is open for long might gather, for measurements. */
  get kept(): Journals['kept'] & Leases['kept'] & { readonly watched: number; readonly blobs: number } {
    const watched = this.#watchers.size;
    return { ...this.#journals.kept, ...this.#leases.kept, watched, blobs: knownBlobs(this.#place) };
  }

  #check(): void {
    if (this.#end.signal.aborted) throw new StoreError('closed', `the store ${this.url} is closed`);
  }

  /** Nothing but a `StoreError` leaves. */
  async #do<T>(what: string, session: string, action: () => Promise<T> | T): Promise<T> {
    this.#check();
    try {
      return await action();
    } catch (error) {
      throw failure(error, `cannot ${what} session ${JSON.stringify(session)}`, { session });
    }
  }

  create(session: string, about: NewSession): Promise<void> {
    return this.#do('create', session, () => createSession(this.#place, session, about));
  }

  acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    return this.#do('take', session, () => this.#leases.acquire(session, owner, ttlMs));
  }

  renew(lease: Lease, ttlMs: number): Promise<Lease> {
    return this.#do('keep', lease.session, () => this.#leases.renew(lease, ttlMs));
  }

  release(lease: Lease): Promise<void> {
    return this.#do('release', lease.session, () => this.#leases.release(lease));
  }

  /** Not by way of `#do`, which makes three promises more for each append. */
  append(batch: Batch): Promise<Appended> {
    const { lease, entries, expect, op, info } = batch;
    const { session } = lease;
    try {
      this.#check();
      const writer = this.#leases.writerFor(lease);
      if (writer === undefined) return Promise.resolve(this.#appendStale(batch));
      if (op !== undefined) writer.ops ??= this.#ops(session, writer);
      if (writer.damage !== undefined) throw writer.damage;
      const prepared = entries.map((entry) => spill(this.#place, session, entry));
      return this.#commit.append({ writer, entries: prepared, expect, op, info });
    } catch (error) {
      return Promise.reject(failure(error, `cannot write to session ${JSON.stringify(session)}`, { session }));
    }
  }

  /** A lease that is lost writes nothing, but an operation that it had stored is told. */
  #appendStale({ lease, op }: Batch): Appended {
    const { session } = lease;
    if (!this.#exists(session)) throw missing(session);
    const made = op === undefined ? undefined : this.#ops(session, this.#leases.current(session)).get(op);
    if (made === undefined) throw this.#leases.stale(lease);
    return { seq: made, epoch: newestEpoch(this.#place, session), again: true };
  }

  #ops(session: string, writer: Writer | undefined): Operations {
    return this.#withView(session, writer, (view) => findOperations(view, endOf(this.#place, view)));
  }

  #view(session: string): View {
    const current = this.#leases.current(session);
    // A damaged log is read as one that has no writer, so that the damage is met and told.
    const writer = current?.damage === undefined ? current : undefined;
    return openView(this.#place, this.#journals, { session, writer });
  }

  #withView<T>(session: string, writer: Writer | undefined, action: (view: View) => T): T {
    const view = openView(this.#place, this.#journals, { session, writer });
    try {
      return action(view);
    } finally {
      view.close();
    }
  }

  #exists(session: string): boolean {
    return this.#place.files.look(folderOf(this.#place, session)) !== undefined;
  }

  head(session: string): Promise<Head | undefined> {
    return this.#do('read', session, () => {
      if (!this.#exists(session)) return undefined;
      const writer = this.#leases.current(session);
      const epoch = writer?.lease.epoch ?? newestEpoch(this.#place, session);
      if (writer !== undefined) return { seq: writer.committed.seq, epoch };
      return this.#withView(session, undefined, (view) => ({ seq: endOf(this.#place, view).seq, epoch }));
    });
  }

  info(session: string): Promise<SessionInfo | undefined> {
    return this.#do('read', session, () => {
      if (!this.#exists(session)) return undefined;
      return this.#leases.current(session)?.info ?? tellSession(this.#place, this.#journals, session);
    });
  }

  async *read(session: string, range: Range): AsyncGenerator<readonly Stored[]> {
    this.#check();
    let view: View | undefined;
    try {
      view = this.#view(session);
      yield* (range.backward === true ? readBackward : readForward)(this.#place, view, range);
    } catch (error) {
      throw failure(error, `cannot read session ${JSON.stringify(session)}`, { session });
    } finally {
      view?.close();
    }
  }

  async *list(query: ListQuery): AsyncGenerator<SessionInfo> {
    this.#check();
    try {
      yield* listSessions(this.#place, { journals: this.#journals, writers: this.#leases, query });
    } catch (error) {
      throw failure(error, 'cannot list the sessions');
    }
  }

  async *search({ words, session, limit = Infinity }: SearchQuery): AsyncGenerator<Hit> {
    this.#check();
    let left = limit;
    const sessions: string[] = [];
    if (session !== undefined) sessions.push(session);
    else for await (const { id } of this.list({})) sessions.push(id);
    for (const id of sessions) {
      try {
        for await (const records of this.read(id, {})) {
          for (const { seq, bytes } of records) {
            if (left <= 0) return;
            if (!isFound(bytes, words)) continue;
            left -= 1;
            yield { session: id, seq };
          }
        }
      } catch (error) {
        // One damaged session among many hides none of the others; that it was not searched to its end is told.
        if (session !== undefined || !(error instanceof StoreError)) throw error;
        if (!['damaged', 'missing', 'unsafe', 'not-ours'].includes(error.code)) throw error;
        this.#place.environment.tell({ kind: 'search-incomplete', sentence: error.message, session: id });
      }
    }
  }

  async *follow(
    session: string,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Stored[]> {
    this.#check();
    if (!this.#exists(session)) throw missing(session);
    const ended = AbortSignal.any([signal, this.#end.signal]);
    let seen = after;
    while (!ended.aborted && this.#exists(session)) {
      for await (const records of this.read(session, { after: seen })) {
        yield records;
        seen = records.at(-1)?.seq ?? seen;
        if (ended.aborted) return;
      }
      await this.#change(session, ended);
    }
  }

  #wake(session: string): void {
    if (this.#watchers.size === 0) return;
    for (const wake of this.#watchers.get(session) ?? []) wake();
  }

  /** Until this process appends, or some time has passed in which another one may have. */
  #change(session: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      const watchers = this.#watchers.get(session) ?? new Set();
      this.#watchers.set(session, watchers);
      const done = (): void => {
        callOff();
        watchers.delete(done);
        if (watchers.size === 0 && this.#watchers.get(session) === watchers) this.#watchers.delete(session);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const callOff = this.#place.environment.after(pollMs, done);
      watchers.add(done);
      signal.addEventListener('abort', done);
    });
  }

  verify(session: string): Promise<DriverVerdict> {
    return this.#do('verify', session, async () => {
      const writer = this.#leases.current(session);
      const sound = await this.#leases.readSource(session, writer, async ({ source, head }) => {
        const found = await survey(this.#place, { session, source });
        const end = { offset: source.size - found.tail, seq: found.seq, crc: 0 };
        const past = writer?.committed.offset === end.offset;
        const tail = past ? undefined : judgeTail(source, { end, reached: found.reached, patches: [] }, head);
        return { ...found, damages: tail === undefined ? found.damages : [...found.damages, tail] };
      });
      const { records, bytes, damages, seq } = sound;
      const epoch = writer?.lease.epoch ?? newestEpoch(this.#place, session);
      return { head: { seq, epoch }, records, bytes, damages };
    });
  }

  mend(lease: Lease, how: Mending): Promise<DriverVerdict> {
    const { session } = lease;
    return this.#do('mend', session, async () => {
      await this.#commit.settled();
      // Nobody may take the session over while its log is replaced.
      await this.#leases.renew(lease, mendingMs);
      this.#leases.require(lease).flush();
      await mendLog(this.#place, { session, patches: [] }, how);
      await this.#leases.reopen(lease);
      return this.verify(session);
    });
  }

  erase(lease: Lease): Promise<Erased> {
    const { session } = lease;
    return this.#do('erase', session, async () => {
      await this.#commit.settled();
      if (!this.#exists(session)) throw missing(session);
      const writer = this.#leases.requireLast(lease);
      const { records, bytes } = writer.info;
      eraseFolder(this.#place, await this.#leaveUnshared(lease));
      this.#leases.drop(lease);
      // The journals have copies of what was written last; with the next sync of the other logs they go too.
      await this.#commit.checkpoint();
      await this.#leases.sweep();
      this.#wake(session);
      const remains = await this.#leases.forgetElsewhere(session);
      for (const sentence of remains) this.#place.environment.tell({ kind: 'erasure-unfinished', sentence, session });
      return { records, bytes, ...(remains.length === 0 ? {} : { remains }) };
    });
  }

  /** Looks for forks while nobody can make another one; a session that has some stays as it was. */
  async #leaveUnshared(lease: Lease): Promise<string> {
    const { session } = lease;
    const { aside, comeBack } = leave(this.#place, session);
    try {
      const forks: string[] = [];
      for await (const { id } of this.list({ forkOf: session })) forks.push(id);
      if (forks.length === 0) return aside;
      throw sharedRecords(session, forks);
    } catch (error) {
      comeBack();
      this.#leases.unclaim(lease);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#end.signal.aborted) return;
    await this.#commit.settled();
    this.#end.abort();
    try {
      await this.#leases.close();
    } catch (error) {
      throw failure(error, `cannot close ${this.url}`);
    }
  }
}
