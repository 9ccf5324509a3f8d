import { errorCode } from '../system-failure.ts';
import type { Lease } from '../../driver.ts';
import { inTurn } from '../../keyed-queue.ts';
import { type Owner, ownerName } from '../../owner.ts';
import { held } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { keepAlive } from '../waiting.ts';
import type { GroupCommit } from './group-commit.ts';
import { newInfo, noteInfo, tellInfo, unknownAbout } from './list-entry.ts';

import type { Journals } from './journal-file.ts';
import { folderOf, nameOf, type Place, quietly, sessionsOf, syncPlace } from './layout.ts';
import {
  claimEpoch,
  isHeld,
  isHolder,
  readLeases,
  removeLease,
  rewriteLease,
  staleLease,
  standsIn,
} from './lease-file.ts';
import { isCurrent, type LogHeader, requireLog } from './log-file.ts';
import { nameToSession } from './listing.ts';
import { entriesOf, recoverLog, sweepJournals } from './recover.ts';
import { readHeadNote, readInfoNote, writeHeadNote } from './side-file.ts';
import { fileSource } from './byte-source.ts';
import { Writer } from './writer.ts';

const mostTries = 16;
/** How long an erasure waits for other processes to remove their copies. */
const forgetMs = 1_000;

/** The highest epoch on disk, apart from the log. */
export function newestEpoch(place: Place, session: string): number {
  const noted = readHeadNote(place, session)?.epoch ?? 0;
  return Math.max(noted, readLeases(place, session).at(-1)?.epoch ?? 0);
}

/** The sessions that this opening may write to. */
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

  /** The local writer of a session; undefined if it has none here. */
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

  /** Two acquisitions of one session in this process take turns. */
  async acquire(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    if (this.#commit.poison !== undefined) throw this.#commit.poison;
    return inTurn(this.#turns, session, () => this.#take(session, owner, ttlMs));
  }

  async #take(session: string, owner: Owner, ttlMs: number): Promise<Lease> {
    const place = this.#place;
    for (let tries = 1; tries <= mostTries; tries += 1) {
      requireLog(place, session);
      await this.#sweepFirst();
      try {
        const lease = await this.#try(session, owner, ttlMs);
        if (lease !== undefined) return lease;
      } catch (error) {
        // The session was erased meanwhile. If it was created anew, the new one is tried.
        if (errorCode(error) !== 'ENOENT' || tries === mostTries) throw error;
      }
    }
    throw new StoreError(
      'conflict',
      `session ${JSON.stringify(session)} could not be acquired: others keep acquiring it; try again`,
      { session },
    );
  }

  /** One attempt to acquire a session; undefined if another process interfered. */
  async #try(session: string, owner: Owner, ttlMs: number): Promise<Lease | undefined> {
    const place = this.#place;
    const leases = readLeases(place, session);
    const newest = leases.at(-1)?.note;
    if (newest !== undefined && newest.owner.id !== owner.id && isHeld(place, newest))
      throw held(session, { owner: newest.owner });
    const epoch = 1 + this.#highest(session, leases);
    const expires = place.environment.now() + ttlMs;
    const note = { epoch, owner, ttlMs, expires, instance: place.instance, released: false };
    if (!claimEpoch(place, session, note)) return undefined;
    const lease = { session, owner, epoch, expires, head: 0 };
    const all = readLeases(place, session);
    // A later holder has removed this lease, or the session was created anew.
    if (all.find((each) => each.epoch === epoch)?.note?.owner.id !== owner.id) return undefined;
    // If the lease before changed between check and claim, the new one must be judged instead.
    const before = all.filter((each) => each.epoch !== epoch);
    if (!isSame(before.at(-1), leases.at(-1))) {
      removeLease(place, session, { epoch, owner: owner.id });
      return undefined;
    }
    try {
      return await this.#open(lease, before);
    } catch (error) {
      this.#giveBack(lease);
      throw error;
    }
  }

  #highest(session: string, leases: ReturnType<typeof readLeases>): number {
    const noted = Math.max(readHeadNote(this.#place, session)?.epoch ?? 0, leases.at(-1)?.epoch ?? 0);
    if (leases.length > 0) return noted;
    // Somebody deleted the leases; the journals still know the epochs.
    return Math.max(noted, this.#journals.newest(nameOf(session)));
  }

  /** Releases a lease after a failed acquisition. */
  #giveBack(lease: Lease): void {
    const released = { expires: lease.expires, ttlMs: 0, released: true };
    quietly(() => void rewriteLease(this.#place, lease, released));
  }

  /** With the epoch claimed, fences earlier writers and brings the log up to date. */
  async #open(lease: Lease, before: ReturnType<typeof readLeases>): Promise<Lease> {
    const place = this.#place;
    const { session, epoch } = lease;
    await this.#retire(session);
    this.#claim(session, epoch, before);
    const writer = await this.#recover(lease);
    this.#writers.set(session, writer);
    for (const old of before) removeLease(place, session, { epoch: old.epoch, owner: old.note?.owner.id });
    return writer.lease;
  }

  async #retire(session: string): Promise<void> {
    const writer = this.#writers.get(session);
    if (writer === undefined) return;
    await this.#commit.settled();
    writer.flush();
    writer.ended ??= staleLease(this.#place, writer);
    this.#writers.delete(session);
    writer.letGo();
  }

  /** Tells the owners of earlier leases through their journals. */
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
    // The session's creator may have died before its name was durable.
    if (place.durability !== 'os') {
      place.files.syncFolder(sessionsOf(place));
      place.files.syncFolder(folderOf(place, session));
    }
    const { file, header, tip, pad, damage } = await recoverLog(place, lease, entries);
    const isTrue = (): boolean => isHolder(place, lease);
    try {
      const log = header?.tip.crc ?? 0;
      const told = header === undefined ? undefined : this.#tell(session, header, file);
      const known = told?.info ?? readInfoNote(place, session)?.info ?? newInfo(session, unknownAbout);
      const info = damage === undefined ? known : { ...known, damaged: damage.message };
      const mine = { ...lease, head: tip.seq, ...(info.importing === true ? { importing: true as const } : {}) };
      const writer = new Writer({ lease: mine, name, file, log, tip, pad, info }, place.files);
      writer.damage = damage;
      if (damage === undefined) {
        writeHeadNote(place, session, { head: { ...tip, log, epoch }, isTrue });
        if (told !== undefined) noteInfo(place, log, { ...told, isTrue });
        // A mend replaces the log and then reads this note, so either it or this check notices the other.
        if (!isCurrent(place, session, log)) throw this.stale(lease);
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

  async reopen(lease: Lease): Promise<void> {
    await this.#retire(lease.session);
    this.#writers.set(lease.session, await this.#recover(lease));
  }

  /** The writer of the newest lease; rejects with `stale` otherwise. */
  require(lease: Lease): Writer {
    const writer = this.writerFor(lease);
    if (writer === undefined) throw this.stale(lease);
    if (!isHolder(this.#place, lease)) writer.ended ??= staleLease(this.#place, writer);
    if (writer.ended !== undefined) throw writer.ended;
    return writer;
  }

  /** Claims the next epoch before an erasure, so that nobody can come between. */
  requireLast(lease: Lease): Writer {
    const writer = this.require(lease);
    const { session, owner, expires } = lease;
    const { environment, instance } = this.#place;
    const ttlMs = Math.max(0, expires - environment.now());
    const note = { epoch: lease.epoch + 1, owner, ttlMs, expires, instance, released: false };
    if (!claimEpoch(this.#place, session, note)) throw this.stale(lease);
    return writer;
  }

  /** Whether nobody came between, now that the folder has a name nobody can claim. */
  isLast(lease: Lease, folder: string): boolean {
    return standsIn(this.#place, lease, { folder, newest: lease.epoch + 1 });
  }

  /** Gives that epoch back. */
  unclaim({ session, epoch, owner }: Lease): void {
    removeLease(this.#place, session, { epoch: epoch + 1, owner: owner.id });
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease> {
    const place = this.#place;
    const writer = this.require(lease);
    const expires = place.environment.now() + ttlMs;
    // Checked again, because others may have taken the session during the write.
    if (!rewriteLease(place, lease, { expires, ttlMs, released: false }) || !isHolder(place, lease)) {
      writer.ended ??= this.stale(lease);
      throw writer.ended;
    }
    return { ...lease, expires, head: writer.committed.seq };
  }

  async release(lease: Lease): Promise<void> {
    const place = this.#place;
    const writer = this.writerFor(lease);
    if (writer === undefined) return;
    await this.#commit.settled();
    this.#writers.delete(lease.session);
    const lost = writer.ended !== undefined;
    writer.ended ??= staleLease(place, writer);
    try {
      if (lost) return;
      writer.flush();
      this.#note(writer);
      rewriteLease(place, lease, { expires: lease.expires, ttlMs: 0, released: true });
    } finally {
      writer.letGo();
    }
  }

  #note({ lease, log, committed, damage, info }: Writer): void {
    if (damage !== undefined) return;
    const isTrue = (): boolean => isHolder(this.#place, lease);
    writeHeadNote(this.#place, lease.session, { head: { ...committed, log, epoch: lease.epoch }, isTrue });
    noteInfo(this.#place, log, { info, tip: committed, isTrue });
  }

  drop(lease: Lease): void {
    const writer = this.writerFor(lease);
    if (writer === undefined) return;
    this.#writers.delete(lease.session);
    writer.ended ??= staleLease(this.#place, writer);
    writer.letGo();
  }

  /** Writers and remembered operations, for measurements. */
  get kept(): { readonly writers: number; readonly operations: number } {
    const operations = [...this.#writers.values()].reduce((sum, { ops }) => sum + (ops?.size ?? 0), 0);
    return { writers: this.#writers.size, operations };
  }

  /**
   * Asks live processes to remove their copies of an erased session, which they do at their next write or check.
   * Returns a sentence for each that is left.
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
      return `the journal ${path}${whose} has copies of its last records until that process writes or ends`;
    });
  }

  /** Runs once per opening. */
  async #sweepFirst(): Promise<void> {
    if (this.#swept) return;
    if (this.#place.durability !== 'os') syncPlace(this.#place);
    this.#swept = true;
    await this.sweep();
  }

  /** Moves records from the journals of dead openings to the logs and removes the journals. */
  async sweep(): Promise<void> {
    try {
      await sweepJournals(this.#place, this.#journals, (name) => nameToSession(this.#place, name));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#place.environment.tell({
        kind: 'journal-kept',
        sentence: `a journal could not be moved to the logs: ${why}`,
      });
    }
  }

  async close(): Promise<void> {
    for (const [session, writer] of this.#writers) {
      this.#writers.delete(session);
      try {
        writer.flush();
        if (writer.ended === undefined) this.#note(writer);
      } catch {
        // The journal keeps the records that the log could not take.
        continue;
      } finally {
        writer.letGo();
      }
    }
    await this.#commit.close();
  }
}

type Written = ReturnType<typeof readLeases>[number];

/** Compares owners too, because a session created anew may reuse an epoch. */
const isSame = (one: Written | undefined, two: Written | undefined): boolean =>
  one?.epoch === two?.epoch && one?.note?.owner.id === two?.note?.owner.id;
