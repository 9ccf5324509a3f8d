import type { Appended, InfoChange } from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { moved } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { Backlog } from './backlog.ts';
import { failure } from '../system-failure.ts';
import type { Claims } from './journal-claims.ts';
import type { Journal } from './journal.ts';
import { endGroup, type JournalEntry, startGroup } from './journal-lines.ts';
import { type Place, quietly } from './layout.ts';
import { isHolder, staleLease } from './lease-file.ts';
import { lineRoom, type Sheet } from './line.ts';
import { Shelf } from './journal-rotation.ts';
import { SyncPace } from './sync-pace.ts';
import { addBatch, blank, type Encoded, type Prepared, type Writer } from './writer.ts';
import { turnOfLoop } from '../waiting.ts';

/** A batch for a known writer. */
export type Order = {
  readonly writer: Writer;
  readonly entries: readonly Prepared[];
  readonly expect: number;
  readonly op?: string | undefined;
  readonly info: InfoChange;
};

type Waiting = Order & { readonly resolve: (head: Appended) => void; readonly reject: (error: StoreError) => void };
type Staged = Omit<JournalEntry, 'end'> & { readonly waiting: Waiting; readonly encoded: Encoded };
/** A retry of an operation in the same group. */
type Echo = { readonly waiting: Waiting; readonly seq: number };
type Group = { readonly sheet: Sheet; readonly staged: Staged[]; readonly echoes: Echo[] };

const groupBytes = 4 * 1024 * 1024;
/** Up to this many sessions reach their logs before the acknowledgement; with more, logs are written later. */
const flushedAtOnce = 32;
/** How long groups may follow one another before the event loop turns. */
const turnMs = 1;
/** How often an idle journal is checked. */
const lookMs = 250;

/** Resolves after everything that waits for the settled promises has run. */
const endOfTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Writes batches of all sessions to one journal. Batches that arrive while a group is being written share the next
 * write and sync. The logs are then written from the same bytes.
 */
export class GroupCommit {
  /** Set for good once a sync has failed. */
  poison: StoreError | undefined;
  readonly #place: Place;
  readonly #shelf: Shelf;
  /** Called for every acknowledged batch. */
  readonly #wrote: (session: string) => void;
  readonly #pace: SyncPace;
  readonly #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  readonly #backlog: Backlog;
  #timer: (() => void) | undefined;
  #looking: (() => void) | undefined;

  constructor(place: Place, owner: Owner, wrote: (session: string) => void) {
    this.#place = place;
    this.#shelf = new Shelf(place, owner);
    this.#wrote = wrote;
    this.#pace = new SyncPace(place);
    this.#backlog = new Backlog(place);
  }

  append({ writer, entries, expect, op, info }: Order): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ writer, entries, expect, op, info, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when all batches so far are settled. */
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
      // The callers' next appends arrive now and share a group.
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
    if (this.#backlog.noRoom !== undefined) await this.#bringUpLogs();
    const sheet = startGroup(waiting.map(sizeOf));
    const found = this.#shelf.journalFor(sheet.bytes.length);
    const journal = found instanceof Promise ? await found : found;
    this.#lookLater();
    const group: Group = { sheet, staged: [], echoes: [] };
    for (const one of waiting) this.#stage(one, journal, group);
    if (group.staged.length === 0) return;
    const bytes = endGroup(group.sheet, this.#place.instance, group.staged);
    try {
      journal.write(bytes);
      const syncing = this.#sync(journal);
      if (syncing !== undefined) await syncing;
      this.#settle(group, journal.isDisturbed ? await this.#intruded(journal, group) : undefined, journal);
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

  /** On a full disk, no batch is accepted that only the journal has room for, because others could not read it. */
  async #bringUpLogs(): Promise<void> {
    await this.#shelf.makeRoom();
    this.#backlog.flush();
    if (this.#backlog.noRoom !== undefined) throw this.#backlog.noRoom;
  }

  /** Validates a batch and adds its bytes to the group. An invalid batch is refused alone. */
  #stage(waiting: Waiting, journal: Journal, group: Group): void {
    const { writer, op, expect, reject, resolve } = waiting;
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
      if (writer.tip.seq !== expect) throw moved(writer.lease.session, { head: writer.tip.seq, expected: expect });
      const { tip, tipPad: pad, name } = writer;
      const encoded = addBatch(sheet, { tip, pad }, waiting);
      writer.attempt += 1;
      if (op !== undefined) writer.ops?.add(op, encoded.tip.seq);
      writer.tip = encoded.tip;
      writer.tipPad = 0;
      const { attempt } = writer;
      const { epoch } = writer.lease;
      const log = this.#place.durability === 'strict' ? writer.log : undefined;
      group.staged.push({ name, offset: tip.offset, pad, epoch, attempt, log, lines: encoded.lines, waiting, encoded });
    } catch (error) {
      sheet.end = start;
      reject(failure(error, `cannot write to session ${JSON.stringify(writer.lease.session)}`));
    }
  }

  /**
   * A process that takes a session over claims the next epoch, then seals the existing journals. A new journal is not
   * among them, so the lease is checked after the journal was created.
   */
  #requireLease(writer: Writer, journal: Journal): void {
    if (writer.ended === undefined && writer.checkedFor !== journal.era) {
      if (!isHolder(this.#place, writer.lease)) writer.ended = staleLease(this.#place, writer);
      writer.checkedFor = journal.era;
    }
    if (writer.ended !== undefined) throw writer.ended;
  }

  /** Returns a promise only if there is something to wait for: one per append is measurable. */
  #sync(journal: Journal): Promise<void> | undefined {
    const { durability, environment } = this.#place;
    if (durability === 'os') return undefined;
    if (durability === 'strict') return this.#syncNow(journal);
    this.#timer ??= environment.after(durability.batchMs, () => {
      this.#timer = undefined;
      // A journal retired meanwhile is closed and its logs are synced instead; a new one may exist.
      for (const each of this.#shelf.all) quietly(() => void this.#syncNow(each)?.catch(() => undefined));
    });
    return undefined;
  }

  #syncNow(journal: Journal): Promise<void> | undefined {
    try {
      return this.#pace.sync(journal.file)?.catch((error: unknown) => this.#poisonWith(error));
    } catch (error) {
      return this.#poisonWith(error);
    }
  }

  /** A failed sync is never repeated: the system may have dropped the data. */
  #poisonWith(error: unknown): never {
    const { message, details } = failure(
      error,
      'a sync of the journal failed; this store writes nothing more until it is opened again',
    );
    this.poison = new StoreError('poisoned', message, { ...details, cause: error });
    throw this.poison;
  }

  /** Others took sessions or the journal: finds lost leases, and the batches of the group that count. */
  async #intruded(journal: Journal, { staged }: Group): Promise<Claims> {
    const claims = journal.decidedClaims(new Set(staged.map(({ name }) => name)));
    // Nobody may act on lines that a power failure could undo.
    if (this.#place.durability !== 'os') await this.#syncNow(journal);
    journal.due ||= claims.erased.size > 0;
    journal.era = {};
    if (claims.gone) journal.broken = true;
    for (const writer of journal.touched) this.#fence(writer, claims);
    return claims;
  }

  #fence(writer: Writer, claims: Claims): void {
    if (writer.ended !== undefined || (!claims.gone && claims.newest(writer.name) <= writer.lease.epoch)) return;
    writer.ended = staleLease(this.#place, writer);
  }

  #settle({ sheet, staged, echoes }: Group, claims: Claims | undefined, journal: Journal): void {
    let writers = 0;
    for (const each of staged) {
      const { waiting, encoded, offset, pad, lines } = each;
      const { writer, entries, info, op } = waiting;
      journal.touch(writer);
      if (claims !== undefined && !journal.counts(each, claims)) {
        writer.ended ??= staleLease(this.#place, writer);
        if (op !== undefined) writer.ops?.delete(op);
        continue;
      }
      if (pad > 0) writer.unflushed.push({ at: offset, bytes: blank(pad) });
      writer.unflushed.push({ at: offset + pad, bytes: lines });
      writer.advance(encoded, entries.length, info);
      if (writer.lastGroup !== sheet) writers += 1;
      writer.lastGroup = sheet;
      this.#backlog.add(writer);
    }
    if (writers <= flushedAtOnce) this.#backlog.flush();
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

  /** Checks an idle journal, because others may ask for its removal. */
  #lookLater(): void {
    this.#looking ??= this.#place.environment.after(lookMs, () => {
      this.#looking = undefined;
      const journal = this.#shelf.current;
      if (journal === undefined || this.poison !== undefined) return;
      this.#lookLater();
      if (this.#running === undefined && this.#isUnwanted(journal)) this.checkpoint().catch(() => undefined);
    });
  }

  #isUnwanted(journal: Journal): boolean {
    try {
      return journal.due || journal.isDisturbed;
    } catch {
      // The next writer reports the error.
      return false;
    }
  }

  /** Moves everything from the journals to the logs. */
  async checkpoint(): Promise<void> {
    await this.settled();
    this.#backlog.flush();
    if (this.poison !== undefined) throw this.poison;
    this.#timer?.();
    this.#timer = undefined;
    this.#looking?.();
    this.#looking = undefined;
    await this.#shelf.empty();
  }

  /** Records that could not reach their logs stay in the journals for the next process. */
  async close(): Promise<void> {
    try {
      await this.checkpoint();
    } catch (error) {
      const sentence = `a journal remains for the next writer: ${failure(error, 'cannot close').message}`;
      this.#place.environment.tell({ kind: 'journal-kept', sentence });
      await this.#shelf.abandon();
    }
  }
}

/** Upper bounds of what a batch, a record and a long string add to the bytes of a group. */
const batchMost = 512;
const recordMost = lineRoom + 64;
const blobMost = 160;

/** An upper bound of a batch's bytes in the journal. One character takes up to six bytes. */
function sizeOf({ writer, entries, op = '', info }: Waiting): { readonly name: string; readonly bytes: number } {
  let bytes = batchMost + 6 * (op.length + info.updatedAt.length + (info.title?.length ?? 0));
  for (const { record, blobs } of entries) bytes += record.length + recordMost + (blobs?.length ?? 0) * blobMost;
  return { name: writer.name, bytes };
}
