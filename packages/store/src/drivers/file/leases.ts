import type { Lease } from '../../driver.ts';
import { type Owner, ownerName } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import { keepAlive } from '../sql/keep-alive.ts';
import { forgetBlobs } from './blobs.ts';
import type { GroupCommit } from './group-commit.ts';
import { tellInfo, noteInfo } from './info.ts';
import type { Journals } from './journal-file.ts';
import { discard, folderOf, nameOf, type Place, sessionsOf, syncPlace } from './layout.ts';
import { claimEpoch, isFollowed, isHeld, type LeaseNote, leasePath, readLeases, rewriteLease } from './lease-file.ts';
import { type LogHeader, openLog, readHeader } from './log-file.ts';
import { nameToSession } from './listing.ts';
import { entriesOf, fitting, recoverLog, soundTip, sweepJournals } from './recover.ts';
import { staleLease } from './refusals.ts';
import { planRedo } from './redo.ts';
import { type HeadNote, readHeadNote, readInfoNote, writeHeadNote } from './side-file.ts';
import { fileSource, patched, type Source } from './source.ts';
import { Writer } from './writer.ts';

const mostTries = 16;
/** How long an erasure waits for other processes before it says that they have copies: a little longer than a look. */
const forgetMs = 1_000;

/** The highest epoch that is written down anywhere beside the log. */
export function newestEpoch(place: Place, session: string): number {
  const noted = readHeadNote(place, session)?.epoch ?? 0;
  return Math.max(noted, readLeases(place, session).at(-1)?.epoch ?? 0);
}

/** The sessions that this opening may write to, and how it comes to that. */
export class Leases {
  readonly #place: Place;
  readonly #journals: Journals;
  readonly #commit: GroupCommit;
  readonly #writers = new Map<string, Writer>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #swept = false;

  constructor(place: Place, journals: Journals, commit: GroupCommit) {
    this.#place = place;
    this.#journals = journals;
    this.#commit = commit;
  }

  /** Who writes to a session here; undefined when it is somebody else or nobody. */
  current(session: string): Writer | undefined {
    const writer = this.#writers.get(session);
    return writer?.ended === undefined ? writer : undefined;
  }

  writerFor({ session, epoch, owner }: Lease): Writer | undefined {
    const writer = this.#writers.get(session);
    return writer?.lease.epoch === epoch && writer.lease.owner.id === owner.id ? writer : undefined;
  }

  stale(lease: Lease): StoreError {
    return staleLease(this.#place, { lease });
  }

  /** Two takings of one session in this process wait for each other. */
  async acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    if (this.#commit.poison !== undefined) throw this.#commit.poison;
    const before = this.#turns.get(session) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => this.#take(session, owner, ttlMs));
    this.#turns.set(session, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(session) === mine) this.#turns.delete(session);
    }
  }

  async #take(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    const place = this.#place;
    place.files.close(openLog(place, session, 'read'));
    await this.#sweepFirst();
    for (let tries = 0; tries < mostTries; tries += 1) {
      const leases = readLeases(place, session);
      const newest = leases.at(-1)?.note;
      if (newest !== undefined && newest.owner.id !== owner.id && isHeld(place, newest)) throw held(session, newest);
      const epoch = 1 + this.#highest(session, leases);
      const expires = place.environment.now() + ttlMs;
      const note = { epoch, owner, ttlMs, expires, instance: place.instance, released: false };
      if (!claimEpoch(place, session, note)) continue;
      // Between the look and the claim others may have come and gone: then it is another lease that has to be judged.
      const before = readLeases(place, session).filter((other) => other.epoch !== epoch);
      if (before.at(-1)?.epoch !== leases.at(-1)?.epoch) {
        discard(place.files, leasePath(place, session, epoch));
        continue;
      }
      try {
        return await this.#open({ session, owner, epoch, expires, head: 0 }, before);
      } catch (error) {
        this.#giveBack(session, note);
        throw error;
      }
    }
    throw new StoreError('conflict', `session ${JSON.stringify(session)} is taken again and again`, { session });
  }

  #highest(session: string, leases: ReturnType<typeof readLeases>): number {
    const noted = Math.max(readHeadNote(this.#place, session)?.epoch ?? 0, leases.at(-1)?.epoch ?? 0);
    if (leases.length > 0) return noted;
    // Somebody removed the leases; then the journals say what epochs there were.
    return Math.max(noted, this.#journals.newest(nameOf(session)));
  }

  /** A lease that led to nothing keeps nobody out. */
  #giveBack(session: string, note: LeaseNote): void {
    try {
      rewriteLease(this.#place, session, { ...note, released: true });
    } catch {
      return;
    }
  }

  /** With the epoch claimed: fences the writers before, then brings the log up to date. */
  async #open(lease: Lease, before: ReturnType<typeof readLeases>): Promise<Lease> {
    const place = this.#place;
    const { session, epoch } = lease;
    await this.#retire(session);
    this.#claim(session, epoch, before);
    const writer = await this.#recover(lease);
    this.#writers.set(session, writer);
    for (const old of before) discard(place.files, leasePath(place, session, old.epoch));
    return writer.lease;
  }

  /** Ends an earlier lease of this opening. */
  async #retire(session: string): Promise<void> {
    const writer = this.#writers.get(session);
    if (writer === undefined) return;
    await this.#commit.settled();
    writer.flush();
    writer.ended ??= staleLease(this.#place, writer);
    this.#writers.delete(session);
    writer.letGo();
  }

  /** Tells the owners of earlier leases, in their journals, that they write no more. */
  #claim(session: string, epoch: number, before: ReturnType<typeof readLeases>): void {
    const unknown = before.length === 0 || before.some(({ note }) => note === undefined);
    const instances = new Set(before.flatMap(({ note }) => (note?.released === false ? [note.instance] : [])));
    for (const journal of this.#journals.others()) {
      if (unknown || instances.has(journal.instance)) this.#journals.claim(journal, nameOf(session), epoch);
    }
  }

  async #recover(lease: Lease): Promise<Writer> {
    const place = this.#place;
    const { session, epoch } = lease;
    const name = nameOf(session);
    const entries = entriesOf(place, this.#journals, { name, purpose: 'act' });
    forgetBlobs(place, session);
    // Whoever made the session may have ended before its name was durable.
    if (place.durability !== 'os') {
      place.files.syncFolder(sessionsOf(place));
      place.files.syncFolder(folderOf(place, session));
    }
    const { file, header, tip, pad, damage } = await recoverLog(place, lease, entries);
    try {
      const log = header?.tip.crc ?? 0;
      const told = header === undefined ? undefined : this.#tell(session, header, file);
      const known = told?.info ?? readInfoNote(place, session)?.info ?? unknownInfo(session);
      const info = damage === undefined ? known : { ...known, damaged: damage.message };
      const mine = { ...lease, head: tip.seq, ...(info.importing === true ? { importing: true as const } : {}) };
      const writer = new Writer({ lease: mine, name, file, log, tip, pad, info }, place.files);
      writer.damage = damage;
      if (damage === undefined) {
        writeHeadNote(place, session, { ...tip, log, epoch });
        if (told !== undefined) noteInfo(place, log, told);
      }
      return writer;
    } catch (error) {
      place.files.close(file);
      throw error;
    }
  }

  #tell(session: string, header: LogHeader, file: number): ReturnType<typeof tellInfo> {
    const note = readInfoNote(this.#place, session);
    return tellInfo({ session, header, note }, fileSource(this.#place.files, file));
  }

  /** Opens a log anew that was written anew. */
  async reopen(lease: Lease): Promise<void> {
    await this.#retire(lease.session);
    this.#writers.set(lease.session, await this.#recover(lease));
  }

  /** The writer of a lease that nobody has followed yet; otherwise `stale`. */
  require(lease: Lease): Writer {
    const writer = this.writerFor(lease);
    if (writer === undefined) throw this.stale(lease);
    const { session, epoch } = lease;
    if (isFollowed(this.#place, session, epoch)) writer.ended ??= staleLease(this.#place, writer);
    if (writer.ended !== undefined) throw writer.ended;
    return writer;
  }

  /** Takes the next epoch for an end that nobody may come between. */
  requireLast(lease: Lease): Writer {
    const writer = this.require(lease);
    const { session, owner, expires } = lease;
    const note = { epoch: lease.epoch + 1, owner, ttlMs: 0, expires, instance: this.#place.instance, released: false };
    if (!claimEpoch(this.#place, session, note)) throw this.stale(lease);
    return writer;
  }

  /** Takes that epoch back. */
  unclaim({ session, epoch }: Lease): void {
    discard(this.#place.files, leasePath(this.#place, session, epoch + 1));
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease> {
    const place = this.#place;
    const { session, epoch, owner } = lease;
    const writer = this.require(lease);
    const expires = place.environment.now() + ttlMs;
    rewriteLease(place, session, { epoch, owner, ttlMs, expires, instance: place.instance, released: false });
    return { ...lease, expires, head: writer.committed.seq };
  }

  async release(lease: Lease): Promise<void> {
    const place = this.#place;
    const writer = this.writerFor(lease);
    if (writer === undefined) return;
    await this.#commit.settled();
    this.#writers.delete(lease.session);
    forgetBlobs(place, lease.session);
    const lost = writer.ended !== undefined;
    writer.ended ??= staleLease(place, writer);
    try {
      if (lost) return;
      writer.flush();
      this.#note(writer);
      const { session, epoch, owner, expires } = lease;
      const note = { epoch, owner, ttlMs: 0, expires, instance: place.instance };
      rewriteLease(place, session, { ...note, released: true });
    } finally {
      writer.letGo();
    }
  }

  #note({ lease, log, committed, damage, info }: Writer): void {
    if (damage !== undefined) return;
    writeHeadNote(this.#place, lease.session, { ...committed, log, epoch: lease.epoch });
    noteInfo(this.#place, log, { info, tip: committed });
  }

  drop(lease: Lease): void {
    const writer = this.writerFor(lease);
    if (writer === undefined) return;
    this.#writers.delete(lease.session);
    writer.ended ??= staleLease(this.#place, writer);
    writer.letGo();
  }

  /** The bytes of a log with what its writer or a dead one has not written to it yet. */
  async readSource<T>(
    session: string,
    writer: Writer | undefined,
    action: (of: { source: Source; head: HeadNote | undefined }) => Promise<T>,
  ): Promise<T> {
    const { files } = this.#place;
    const wanted = { name: nameOf(session), purpose: 'read' } as const;
    const entries = writer === undefined ? entriesOf(this.#place, this.#journals, wanted) : [];
    const noted = readHeadNote(this.#place, session);
    const file = openLog(this.#place, session, 'read');
    try {
      const bare = fileSource(files, file);
      const header = readHeader(bare, session);
      const head = fitting(noted, header);
      if (writer !== undefined) return await action({ source: patched(bare, writer.unflushed), head });
      if (header === undefined || entries.length === 0) return await action({ source: bare, head });
      const { patches } = planRedo(bare, soundTip(bare, header, head), entries);
      return await action({ source: patched(bare, patches), head });
    } finally {
      files.close(file);
    }
  }

  /** How many sessions this opening may write to, and the operations that it remembers of them. */
  get kept(): { readonly writers: number; readonly operations: number } {
    const operations = [...this.#writers.values()].reduce((sum, { ops }) => sum + (ops?.size ?? 0), 0);
    return { writers: this.#writers.size, operations };
  }

  /**
   * Living processes may have copies of an erased session in their journals. They are asked to let go of them, which
   * they do at the next write or look; what is not gone after a while is told.
   */
  async forgetElsewhere(session: string): Promise<string[]> {
    const { environment, files } = this.#place;
    const until = environment.elapsed() + forgetMs;
    let left = this.#journals.askToForget(nameOf(session));
    while (left.length > 0 && environment.elapsed() < until) {
      await keepAlive(new Promise<void>((resolve) => void environment.after(25, resolve)));
      left = left.filter(({ path }) => files.look(path) !== undefined);
    }
    return left.map((journal) => {
      const { path } = journal;
      const owner = this.#journals.owner(journal);
      const whose = owner === undefined ? '' : ` of ${ownerName(owner)}`;
      return `the journal ${path}${whose} has copies of its last records; it goes when that process writes or ends`;
    });
  }

  /** Once in every opening. */
  async #sweepFirst(): Promise<void> {
    if (this.#swept) return;
    if (this.#place.durability !== 'os') syncPlace(this.#place);
    this.#swept = true;
    await this.sweep();
  }

  /** Writes to the logs what dead openings have left in their journals, and removes those. */
  async sweep(): Promise<void> {
    try {
      await sweepJournals(this.#place, this.#journals, (name) => nameToSession(this.#place, name));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#place.environment.tell({ kind: 'journal-kept', sentence: `a journal could not be written back: ${why}` });
    }
  }

  async close(): Promise<void> {
    for (const [session, writer] of this.#writers) {
      this.#writers.delete(session);
      try {
        writer.flush();
        if (writer.ended === undefined) this.#note(writer);
      } catch {
        // The journal has what the log could not take; it stays.
        continue;
      } finally {
        writer.letGo();
      }
    }
    await this.#commit.close();
  }
}

const unknownInfo = (id: string): Writer['info'] => ({
  id,
  createdAt: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:00.000Z',
  base: 0,
  seq: 0,
  records: 0,
  bytes: 0,
  archived: false,
});

function held(session: string, { owner }: LeaseNote): StoreError {
  const sentence = `session ${JSON.stringify(session)} is written by ${ownerName(owner)}`;
  return new StoreError('conflict', sentence, { session, owner });
}
