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
import { closed, missing, sharedRecords } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { spill } from './blobs.ts';
import { createSession } from './create.ts';
import { eraseFolder, leave } from './erase.ts';
import { errorCode, failure } from '../system-failure.ts';

import { GroupCommit } from './group-commit.ts';
import { Journals } from './journal-file.ts';
import { folderOf, nameOf, type Place } from './layout.ts';
import { isHolder, isWrittenTo } from './lease-file.ts';
import { Leases, newestEpoch } from './leases.ts';
import { listSessions, tellSession } from './listing.ts';
import { currentHeader, isErased, isUnchanged, laterHeader, type LogHeader } from './log-file.ts';
import { mendLog, survey, type Survey } from './mend.ts';
import { findOperations, type Operations } from './operations.ts';
import { openReading } from './open-log.ts';
import { entriesOf, judgeTail } from './recover.ts';
import { takeStranded } from './journal-only-batches.ts';
import { createWake, type Wake } from '../wake.ts';
import { endOf, openView, readBackward, readForward, type View } from './log-view.ts';
import type { Writer } from './writer.ts';

const pollMs = 50;
const mendingMs = 600_000;
/** A log under constant writes may look torn more than once. */
const mostSurveys = 8;

export class FileDriver implements Driver {
  readonly url: string;
  readonly durability: Durability;
  readonly #place: Place;
  readonly #journals: Journals;
  readonly #commit: GroupCommit;
  readonly #leases: Leases;
  readonly #end = new AbortController();
  readonly #wake: Wake;

  constructor(url: string, place: Place) {
    this.url = url;
    this.durability = place.durability;
    this.#place = place;
    this.#journals = new Journals(place);
    this.#wake = createWake(place.environment);
    this.#commit = new GroupCommit(place, place.environment.owner(), this.#wake.ring);
    this.#leases = new Leases(place, this.#journals, this.#commit);
  }

  /** Memory that grows with use, for measurements. */
  get kept(): Journals['kept'] & Leases['kept'] & { readonly watched: number } {
    return { ...this.#journals.kept, ...this.#leases.kept, watched: this.#wake.awaited() };
  }

  #check(): void {
    if (this.#end.signal.aborted) throw closed(this.url);
  }

  /** Converts every error to a `StoreError`. */
  async #do<T>(what: string, of: string | Lease, action: () => Promise<T> | T): Promise<T> {
    this.#check();
    try {
      return await action();
    } catch (error) {
      throw this.#failure(error, what, of);
    }
  }

  /** A missing file means that the session was erased just now, and perhaps created anew. */
  #failure(error: unknown, what: string, of: string | Lease): StoreError {
    const session = typeof of === 'string' ? of : of.session;
    if (errorCode(error) === 'ENOENT') {
      if (!this.#exists(session)) return missing(session);
      if (typeof of !== 'string' && !isHolder(this.#place, of)) return this.#leases.stale(of);
    }
    return failure(error, `cannot ${what} session ${JSON.stringify(session)}`, { session });
  }

  create(session: string, about: NewSession): Promise<void> {
    return this.#do('create', session, () => createSession(this.#place, session, about));
  }

  acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    return this.#do('take', session, () => this.#leases.acquire(session, owner, ttlMs));
  }

  renew(lease: Lease, ttlMs: number): Promise<Lease> {
    return this.#do('keep', lease, () => this.#leases.renew(lease, ttlMs));
  }

  release(lease: Lease): Promise<void> {
    return this.#do('release', lease, () => this.#leases.release(lease));
  }

  /** Avoids `#do`, whose three promises per append are measurable. */
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
      return Promise.reject(this.#failure(error, 'write to', lease));
    }
  }

  /** A lost lease writes nothing, but an operation it stored earlier is still reported. */
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
    // A damaged log is read as if it had no writer, so that the reader meets the damage.
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

  /** Runs a read; undefined if the session does not exist or is erased meanwhile. */
  async #ifThere<T>(session: string, action: () => T): Promise<T | undefined> {
    try {
      return await this.#do('read', session, () => (this.#exists(session) ? action() : undefined));
    } catch (error) {
      if (error instanceof StoreError && error.code === 'missing') return undefined;
      throw error;
    }
  }

  head(session: string): Promise<Head | undefined> {
    return this.#ifThere(session, () => {
      const writer = this.#leases.current(session);
      const epoch = writer?.lease.epoch ?? newestEpoch(this.#place, session);
      if (writer !== undefined) return { seq: writer.committed.seq, epoch };
      return this.#withView(session, undefined, (view) => ({ seq: endOf(this.#place, view).seq, epoch }));
    });
  }

  info(session: string): Promise<SessionInfo | undefined> {
    return this.#ifThere(
      session,
      () => this.#leases.current(session)?.info ?? tellSession(this.#place, this.#journals, session),
    );
  }

  async *read(session: string, range: Range): AsyncGenerator<readonly Stored[]> {
    this.#check();
    let view: View | undefined;
    try {
      view = this.#view(session);
      yield* (range.backward === true ? readBackward : readForward)(this.#place, view, range);
    } catch (error) {
      throw this.#failure(error, 'read', session);
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
    const sessions: { readonly id: string; readonly damaged?: string }[] = [];
    if (session !== undefined) sessions.push({ id: session });
    else for await (const { id, damaged = '' } of this.list({})) sessions.push({ id, damaged });
    for (const { id, damaged } of sessions) {
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
        // One damaged session does not stop the search in the others; a notice reports it.
        if (session !== undefined || !(error instanceof StoreError)) throw error;
        // The session was erased after it was listed.
        if (error.code === 'missing' && damaged === '') continue;
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
    let log: LogHeader | undefined;
    while (!ended.aborted && this.#exists(session)) {
      try {
        log ??= currentHeader(this.#place, session);
        for await (const records of this.read(session, { after: seen })) {
          // Checked after reading: a new session may have taken the name before.
          if (log !== undefined && isErased(this.#place, session, log)) return;
          yield records;
          seen = records.at(-1)?.seq ?? seen;
          if (ended.aborted) return;
        }
        log &&= laterHeader(this.#place, session, log);
        if (log === undefined) return;
      } catch (error) {
        const failed = this.#failure(error, 'follow', session);
        if (failed.code === 'missing') return;
        throw failed;
      }
      await this.#wake.wait(session, pollMs, ended);
    }
  }

  verify(session: string): Promise<DriverVerdict> {
    return this.#do('verify', session, async () => {
      for (let tries = 1; ; tries += 1) {
        const { records, bytes, damages, seq, isStill } = await this.#survey(session);
        // A write in progress, an erasure or a mend can look like damage, so the log is read again.
        if (damages.length > 0 && tries < mostSurveys && !isStill) continue;
        return { head: { seq, epoch: newestEpoch(this.#place, session) }, records, bytes, damages };
      }
    });
  }

  /** The findings for a log, and whether the log was still unchanged afterwards. */
  async #survey(session: string): Promise<Survey & { readonly isStill: boolean }> {
    const place = this.#place;
    const reading = openReading(place, this.#journals, { session, writer: this.#leases.current(session) });
    try {
      const { source, log, head } = reading;
      const found = await survey(place, { session, source, head });
      const end = { offset: source.size - found.tail, seq: found.seq, crc: 0 };
      const past = reading.isWritten && reading.end?.offset === end.offset;
      const tail = past ? undefined : judgeTail(source, { end, reached: found.reached, patches: [] }, head);
      // The lease holder has quarantined the torn bytes and is writing what follows.
      const isWritten = tail?.kind === 'torn-tail' && isWrittenTo(place, session);
      // Checked last: a holder that has released the lease by now has finished writing.
      const isStill = isUnchanged(place, session, log);
      return {
        ...found,
        isStill,
        damages: tail === undefined || isWritten ? found.damages : [...found.damages, tail],
      };
    } finally {
      reading.close();
    }
  }

  mend(lease: Lease, how: Mending): Promise<DriverVerdict> {
    const [place, { session }] = [this.#place, lease];
    return this.#do('mend', lease, async () => {
      await this.#commit.settled();
      // Nobody may take the session over while its log is replaced.
      await this.#leases.renew(lease, mendingMs);
      this.#leases.require(lease).flush();
      let shared = 0;
      for await (const { fork } of this.list({ forkOf: session })) shared = Math.max(shared, fork?.at ?? 0);
      const entries = entriesOf(place, this.#journals, { name: nameOf(session), purpose: 'act' });
      await takeStranded(place, { session, entries });
      await mendLog(place, { lease, shared }, how);
      await this.#leases.reopen(lease);
      // The journals of dead processes hold nothing for the new log and must not be applied to it.
      await this.#leases.sweep();
      return this.verify(session);
    });
  }

  erase(lease: Lease): Promise<Erased> {
    const { session } = lease;
    return this.#do('erase', lease, async () => {
      await this.#commit.settled();
      if (!this.#exists(session)) throw missing(session);
      const writer = this.#leases.requireLast(lease);
      const { records, bytes } = writer.info;
      await this.#eraseUnshared(lease);
      this.#leases.drop(lease);
      // The journals still contain the newest records; the next sync of the other logs removes them.
      await this.#commit.checkpoint();
      await this.#leases.sweep();
      this.#wake.ring(session);
      const remains = await this.#leases.forgetElsewhere(session);
      for (const sentence of remains) this.#place.environment.tell({ kind: 'erasure-unfinished', sentence, session });
      return { records, bytes, ...(remains.length === 0 ? {} : { remains }) };
    });
  }

  /** Looks for forks while nobody can create one. A session with forks stays as it was. */
  async #eraseUnshared(lease: Lease): Promise<void> {
    const { session } = lease;
    const { aside, comeBack } = leave(this.#place, session);
    try {
      if (!this.#leases.isLast(lease, aside)) throw this.#leases.stale(lease);
      const forks: string[] = [];
      for await (const { id } of this.list({ forkOf: session })) forks.push(id);
      if (forks.length > 0) throw sharedRecords(session, forks);
      eraseFolder(this.#place, aside);
    } catch (error) {
      if (comeBack()) this.#leases.unclaim(lease);
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
