import type { Appended, InfoChange } from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { StoreError } from '../../store-error.ts';
import { Backlog } from './backlog.ts';
import { failure } from './failure.ts';
import { Journal } from './journal.ts';
import { endGroup, type JournalEntry, parseJournal, startGroup } from './journal-file.ts';
import { type Place, writeFully } from './layout.ts';
import { isFollowed } from './lease-file.ts';
import { lineRoom, type Sheet } from './line.ts';
import { headMoved, staleLease } from './refusals.ts';
import { fileSource, readBytes } from './source.ts';
import { SyncPace } from './sync-pace.ts';
import { addBatch, blank, type Encoded, type Prepared, type Writer } from './writer.ts';

/** A batch on its way, for a writer that is known. */
export type Order = {
  readonly writer: Writer;
  readonly entries: readonly Prepared[];
  readonly expect: number;
  readonly op?: string | undefined;
  readonly info: InfoChange;
};

type Waiting = Order & { readonly resolve: (head: Appended) => void; readonly reject: (error: StoreError) => void };
type Staged = {
  readonly waiting: Waiting;
  readonly entry: Omit<JournalEntry, 'end'>;
  readonly encoded: Encoded;
};
/** A retry of an operation that is in the same group. */
type Echo = { readonly waiting: Waiting; readonly seq: number };
type Group = { readonly sheet: Sheet; readonly staged: Staged[]; readonly echoes: Echo[] };

/** A journal is at most about this long; then the logs are synced and it goes. */
const journalBytes = 16 * 1024 * 1024;
const mostTouched = 1_000;
const groupBytes = 4 * 1024 * 1024;
/** So few sessions at a time are in their logs before they are acknowledged; more share a later write. */
const flushedAtOnce = 32;
/** So long may one group follow another before everything else in the process has its turn. */
const turnMs = 1;
/** How often a journal is looked at that nothing is written to. */
const lookMs = 250;

const isFull = ({ size, touched, due }: Journal): boolean => due || size > journalBytes || touched.size > mostTouched;

const turnOfLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Once all that waits for what was resolved has gone on. */
const endOfTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Writes batches of all sessions to one journal: those that are given while one group is on its way share the next
 * write and the next sync. The logs are written from the same bytes afterwards.
 */
export class GroupCommit {
  /** What is true of this opening for good: a sync failed. */
  poison: StoreError | undefined;
  readonly counts: { groups: number; batches: number; journals: number; syncs: number } = {
    groups: 0,
    batches: 0,
    journals: 0,
    syncs: 0,
  };
  readonly #place: Place;
  readonly #owner: Owner;
  /** Told of every session that a batch was acknowledged for. */
  readonly #wrote: (session: string) => void;
  readonly #pace: SyncPace;
  readonly #queue: Waiting[] = [];
  #journal: Journal | undefined;
  /** Older journals whose logs are not all synced. */
  readonly #old: Journal[] = [];
  #retiring: Promise<void> = Promise.resolve();
  #running: Promise<void> | undefined;
  readonly #backlog: Backlog;
  #timer: (() => void) | undefined;
  #looking: (() => void) | undefined;

  constructor(place: Place, owner: Owner, wrote: (session: string) => void) {
    this.#place = place;
    this.#owner = owner;
    this.#wrote = wrote;
    this.#pace = new SyncPace(place);
    this.#backlog = new Backlog(place);
  }

  append(order: Order): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...order, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** When everything that was given so far is decided. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const { environment } = this.#place;
    await turnOfLoop();
    let turned = environment.elapsed();
    while (this.#queue.length > 0) {
      const group = this.#take();
      try {
        await this.#commit(group);
      } catch (error) {
        for (const { writer, reject } of group) {
          writer.rollBack();
          reject(failure(error, `cannot write to session ${JSON.stringify(writer.lease.session)}`));
        }
      }
      // What is resolved now is answered by the next appends of the same sessions, which then share a group.
      if (environment.elapsed() - turned < turnMs) {
        await endOfTick();
      } else {
        await turnOfLoop();
        turned = environment.elapsed();
      }
      if (this.#queue.length === 0 || this.#backlog.isLong) this.#backlog.flush();
    }
    this.#running = undefined;
  }

  #take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { entries } of this.#queue) {
      if (count > 0 && bytes > groupBytes) break;
      for (const { bytes: length } of entries) bytes += length;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    if (this.poison !== undefined) throw this.poison;
    const journal = await this.#currentJournal();
    const group: Group = { sheet: startGroup(waiting.map(sizeOf)), staged: [], echoes: [] };
    for (const one of waiting) this.#stage(one, journal, group);
    if (group.staged.length === 0) return;
    const entries = group.staged.map(({ entry }) => entry);
    const bytes = endGroup(group.sheet, this.#place.instance, entries);
    try {
      writeFully(this.#place.files, journal.file, { bytes });
      journal.size += bytes.length;
      await this.#sync(journal);
      const state = this.#place.files.state(journal.file);
      this.#settle(
        group,
        state.size === journal.size && state.links > 0 ? undefined : this.#intruded(journal),
        journal,
      );
    } catch (error) {
      journal.broken = true;
      for (const {
        waiting: { writer, op },
      } of group.staged) {
        writer.rollBack();
        if (op !== undefined) writer.ops?.delete(op);
      }
      throw error;
    }
  }

  /** Looks at a batch and adds its bytes to the group; what cannot be written is refused here, by itself. */
  #stage(waiting: Waiting, journal: Journal, group: Group): void {
    const { writer, op, expect, entries, info, reject, resolve } = waiting;
    const { sheet } = group;
    const start = sheet.end;
    try {
      const made = op === undefined ? undefined : writer.ops?.get(op);
      if (made !== undefined) {
        if (made > writer.committed.seq) group.echoes.push({ waiting, seq: made });
        else resolve({ seq: made, epoch: writer.lease.epoch, again: true });
        return;
      }
      this.#requireLease(writer, journal);
      if (writer.tip.seq !== expect) throw headMoved(writer, expect);
      const from = { tip: writer.tip, pad: writer.tipPad };
      const encoded = addBatch(sheet, from, { entries, op, info });
      writer.attempt += 1;
      const { epoch } = writer.lease;
      const { name, attempt } = writer;
      const entry = { name, offset: from.tip.offset, pad: from.pad, epoch, attempt, lines: encoded.lines };
      if (op !== undefined) writer.ops?.add(op, encoded.tip.seq);
      writer.tip = encoded.tip;
      writer.tipPad = 0;
      group.staged.push({ waiting, entry, encoded });
    } catch (error) {
      sheet.end = start;
      reject(failure(error, `cannot write to session ${JSON.stringify(writer.lease.session)}`));
    }
  }

  /**
   * Whoever takes a session over first claims the next epoch and then seals the journals that there are. A new journal
   * was not among them, so it is made first and the claim is looked for afterwards.
   */
  #requireLease(writer: Writer, journal: Journal): void {
    if (writer.ended === undefined && writer.checkedFor !== journal.era) {
      const { session, epoch } = writer.lease;
      if (this.#isGone(writer) || isFollowed(this.#place, session, epoch)) {
        writer.ended = staleLease(this.#place, writer);
      }
      writer.checkedFor = journal.era;
    }
    if (writer.ended !== undefined) throw writer.ended;
  }

  /** The session was erased, and what has its name now is another one. */
  #isGone({ file }: Writer): boolean {
    return this.#place.files.state(file).links === 0;
  }

  async #sync(journal: Journal): Promise<void> {
    const { durability, environment } = this.#place;
    if (durability === 'os') return;
    if (durability === 'strict') {
      await this.#syncNow(journal);
      return;
    }
    this.#timer ??= environment.after(durability.batchMs, () => {
      this.#timer = undefined;
      // One that was retired in the meantime is closed, and its logs are synced instead; a new one may have followed.
      const open = [...this.#old, this.#journal].filter((each) => each !== undefined);
      for (const each of open) this.#syncNow(each).catch(() => undefined);
    });
  }

  /** A sync that failed is never tried again: the system may have thrown away what it could not write. */
  async #syncNow(journal: Journal): Promise<void> {
    try {
      this.counts.syncs += 1;
      const slow = this.#pace.sync(journal.file);
      if (slow !== undefined) await slow;
    } catch (error) {
      const { message, details } = failure(error, 'a sync of the journal failed, so nothing more is written');
      this.poison = new StoreError('poisoned', message, { ...details, cause: error });
      throw this.poison;
    }
  }

  /** Somebody took sessions over: what of the group stands before their seals, and who has lost a lease. */
  #intruded(journal: Journal): ReadonlySet<string> {
    const { files, instance } = this.#place;
    const source = fileSource(files, journal.file);
    const { entries, seals, erased } = parseJournal(journal.path, instance, readBytes(source, 0, source.size));
    journal.due ||= erased.size > 0;
    journal.size = source.size;
    journal.era = {};
    const gone = files.state(journal.file).links === 0 || seals.has('*');
    if (gone) journal.broken = true;
    for (const writer of journal.touched) this.#fence(writer, seals, gone);
    return new Set(entries.map(keyOf));
  }

  #fence(writer: Writer, seals: ReadonlyMap<string, number>, gone: boolean): void {
    if (writer.ended !== undefined || (!gone && (seals.get(writer.name) ?? 0) <= writer.lease.epoch)) return;
    writer.ended = staleLease(this.#place, writer);
  }

  #settle({ staged, echoes }: Group, standing: ReadonlySet<string> | undefined, journal: Journal): void {
    const now = new Set<Writer>();
    for (const { waiting, entry, encoded } of staged) {
      const { writer, entries, info, op } = waiting;
      journal.touch(writer);
      if (standing !== undefined && !standing.has(keyOf(entry))) {
        writer.ended ??= staleLease(this.#place, writer);
        if (op !== undefined) writer.ops?.delete(op);
        continue;
      }
      if (entry.pad > 0) writer.unflushed.push({ at: entry.offset, bytes: blank(entry.pad) });
      writer.unflushed.push({ at: entry.offset + entry.pad, bytes: entry.lines });
      writer.advance(encoded, entries.length, info);
      now.add(writer);
    }
    this.counts.groups += 1;
    this.counts.batches += staged.length;
    this.#backlog.add(now, staged.length);
    if (now.size <= flushedAtOnce) this.#backlog.flush();
    for (const { waiting, encoded } of staged) {
      const { writer, resolve, reject } = waiting;
      if (encoded.tip.seq <= writer.committed.seq) {
        resolve({ seq: encoded.tip.seq, epoch: writer.lease.epoch });
        this.#wrote(writer.lease.session);
      } else reject(writer.ended ?? staleLease(this.#place, writer));
    }
    for (const { waiting, seq } of echoes) {
      const { writer, resolve, reject } = waiting;
      if (seq <= writer.committed.seq) resolve({ seq, epoch: writer.lease.epoch, again: true });
      else reject(writer.ended ?? staleLease(this.#place, writer));
    }
  }

  async #currentJournal(): Promise<Journal> {
    const current = this.#journal;
    if (current !== undefined && !current.broken && !isFull(current)) return current;
    if (this.#old.length > 2) await this.#retireOld();
    if (this.#old.length > 2) throw new StoreError('full', 'the logs cannot be written, and the journals are full');
    this.counts.journals += 1;
    this.#journal = await Journal.create(this.#place, this.counts.journals, this.#owner);
    this.#lookLater();
    if (current !== undefined) {
      this.#old.push(current);
      this.#retireOld().catch(() => undefined);
    }
    return this.#journal;
  }

  /** Others may ask that the journal goes while nothing is written that would notice it. */
  #lookLater(): void {
    this.#looking ??= this.#place.environment.after(lookMs, () => {
      this.#looking = undefined;
      const journal = this.#journal;
      if (journal === undefined || this.poison !== undefined) return;
      this.#lookLater();
      if (this.#running === undefined && this.#isUnwanted(journal)) this.checkpoint().catch(() => undefined);
    });
  }

  #isUnwanted({ file, size, due }: Journal): boolean {
    try {
      return due || this.#place.files.state(file).size !== size;
    } catch {
      // Whatever is wrong with it is told to whoever writes next.
      return false;
    }
  }

  /** In their order, one after the other; one whose logs cannot be synced stays, and with it all later ones. */
  #retireOld(): Promise<void> {
    this.#retiring = this.#retireBehind(this.#retiring);
    return this.#retiring;
  }

  async #retireBehind(before: Promise<void>): Promise<void> {
    await before.catch(() => undefined);
    for (let first = this.#old[0]; first !== undefined; first = this.#old[0]) {
      await first.retire();
      this.#old.shift();
    }
  }

  /** Empties the journals, so that nothing but the logs is left. */
  async checkpoint(): Promise<void> {
    await this.settled();
    this.#backlog.flush();
    if (this.poison !== undefined) throw this.poison;
    this.#timer?.();
    this.#timer = undefined;
    this.#looking?.();
    this.#looking = undefined;
    if (this.#journal !== undefined) this.#old.push(this.#journal);
    this.#journal = undefined;
    await this.#retireOld();
  }

  /** What could not be brought to the logs stays in the journals, for whoever comes next. */
  async close(): Promise<void> {
    try {
      await this.checkpoint();
    } catch (error) {
      const sentence = `a journal stays until somebody writes it back: ${failure(error, 'cannot close').message}`;
      this.#place.environment.tell({ kind: 'journal-kept', sentence });
      for (const journal of [...this.#old, ...(this.#journal === undefined ? [] : [this.#journal])]) journal.abandon();
    }
  }
}

function sizeOf({ writer, entries }: Waiting): { readonly name: string; readonly bytes: number } {
  let bytes = 0;
  for (const { record } of entries) bytes += record.length + lineRoom;
  return { name: writer.name, bytes };
}

const keyOf = ({ name, epoch, attempt }: Omit<JournalEntry, 'end'>): string => `${name} ${epoch} ${attempt}`;
