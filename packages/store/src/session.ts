import { type Dialect, type History, project, type TargetInput, toWire } from '@rethread/core';

import { checkOptions, checkSeq, checkSignal, checkWord } from './arguments.ts';
import { type ChildReport, childrenOf, reportChild } from './children.ts';
import { type NewCheckpoint, type Shorten, shortenLog, type ShortenLogOptions } from './compaction.ts';
import { type Context, type CreateOptions, createSession, type ForkSource, writerOf } from './context.ts';
import { dialectFault } from './dialect-name.ts';
import type { DriverVerdict, Head, Mending, Range, SessionInfo } from './driver.ts';
import { type EraseOptions, type Receipt, eraseSession, refuseIfForksLose } from './erase.ts';
import { exportSession } from './export.ts';
import { halfImported } from './refusals.ts';
import { type RevertTarget, newestCheckpoint, newestRevert, revertTo } from './revert.ts';
import { infoOf, loadRecords, readLog, readRecords, toRecord } from './log.ts';
import { type Page, type PageOptions, readPage } from './page.ts';
import { type NewRecord, type StoredRecord, toSessionRecord } from './record.ts';
import { checkForm } from './record-form.ts';
import { type Recovered, type RecoverOptions, recoverSession } from './recover.ts';
import { StoreError } from './store-error.ts';
import { checkStandIn } from './checkpoint-form.ts';
import { type SessionVerdict, verifySession } from './verify.ts';
import type { AppendOptions, Change, Writer } from './writer.ts';

export type FollowOptions = {
  /** Only records after this one (default: all). */
  readonly after?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
};

export type ForkOptions = CreateOptions & {
  /** The last shared record (default: the newest). */
  readonly at?: number;
};

function listOf(records: NewRecord | readonly NewRecord[]): readonly NewRecord[] {
  const list: readonly unknown[] = Array.isArray(records) ? records : [records];
  const isRecord = (value: unknown): value is NewRecord =>
    typeof value === 'object' && value !== null && 'kind' in value;
  let cause: unknown;
  try {
    if (list.every(isRecord)) return list;
  } catch (error) {
    cause = error;
  }
  throw new StoreError('unstorable', 'only records with a kind can be appended', { cause });
}

/** One durable identity with an ordered log. Nothing rewrites a record; only `erase` removes them. */
export class Session {
  readonly id: string;
  readonly #context: Context;
  /** Set by the first write. A lost writer stays, so that the holder of this handle notices. */
  #taken: Writer | undefined;

  /** Use `store.create` or `store.session` to get a handle. */
  constructor(id: string, context: Context) {
    this.id = id;
    this.#context = context;
  }

  get #writer(): Writer {
    if (this.#taken === undefined || this.#taken.isOver) this.#taken = writerOf(this.#context, this.id);
    return this.#taken;
  }

  async info(): Promise<SessionInfo> {
    return infoOf(this.#context.driver, this.id);
  }

  /** Appends all records or none. Resolves when they are as durable as the store promises. */
  async append(records: NewRecord | readonly NewRecord[], options: AppendOptions = {}): Promise<Head> {
    checkOptions(options);
    checkSeq('expect', options.expect);
    const list = listOf(records);
    for (const record of list) checkForm(record);
    return this.#writer.append(list, options);
  }

  /** Appends one message in the wire format of its dialect. */
  async appendMessage(dialect: Dialect, wire: object, options: AppendOptions = {}): Promise<Head> {
    return this.append({ kind: 'message', data: { dialect, wire } }, options);
  }

  async #append(records: readonly NewRecord[], options: AppendOptions & { readonly change?: Change }): Promise<Head> {
    return this.#writer.append(records, options);
  }

  /** Iterates over records, oldest first or, with `backward`, newest first. */
  read(range: Range = {}): AsyncGenerator<StoredRecord> {
    return readRecords(this.#context.driver, this.id, range);
  }

  /** Returns records as one list. */
  async load(range: Range = {}): Promise<readonly StoredRecord[]> {
    return loadRecords(this.#context.driver, this.id, range);
  }

  /** Returns whole turns from the end of the log. */
  async page(options: PageOptions = {}): Promise<Page> {
    return readPage(this.#context.driver, this.id, options);
  }

  /** The history of the log, in the dialect of its first message or another one; undefined without a message. */
  async project(dialect?: Dialect): Promise<History<Dialect> | undefined> {
    const fault = dialect === undefined ? undefined : dialectFault(dialect);
    if (fault !== undefined) throw new StoreError('unsupported', fault);
    return project((await this.load()).map(toSessionRecord), dialect);
  }

  /** The wire messages of the history, as they were stored. `recover` returns them ready to be sent. */
  async messages(dialect?: Dialect): Promise<readonly unknown[]> {
    const history = await this.project(dialect);
    return history === undefined ? [] : toWire(history);
  }

  /** Returns the history, sendable for a target, and notes each repair in the log. */
  async recover(target?: TargetInput, options: RecoverOptions = {}): Promise<Recovered> {
    checkOptions(options);
    checkWord('audit', options.audit, ['append', 'never']);
    return recoverSession(this.#context, { session: this.id, target, options });
  }

  /** Iterates over existing records, then waits for new ones from any writer. */
  async *follow(options: FollowOptions): AsyncGenerator<StoredRecord> {
    checkOptions(options);
    const { after = 0, signal } = options;
    const { driver } = this.#context;
    checkSeq('after', after);
    checkSignal(signal);
    const { base } = await this.info();
    const shared = after < base ? readLog(driver, this.id, { after, before: base + 1 }) : [];
    for (const source of [shared, driver.follow(this.id, { after: Math.max(after, base), signal })]) {
      for await (const some of source) {
        for (const stored of some) {
          if (signal.aborted) return;
          yield toRecord(this.id, stored);
        }
      }
    }
  }

  /** Creates a session that shares the records up to `at` and continues on its own. */
  async fork(options: ForkOptions = {}): Promise<Session> {
    checkOptions(options);
    const { at, ...about } = options;
    const source = await this.#forkSource(at);
    return new Session(await createSession(this.#context, about, source), this.#context);
  }

  /** The session that holds the record itself, so that a fork of a fork does not depend on the middle one. */
  async #forkSource(wanted: number | undefined): Promise<ForkSource> {
    let info = await this.info();
    if (info.importing === true) throw halfImported(this.id);
    const at = wanted ?? info.seq;
    this.#requireRecord(at, info.seq);
    while (info.fork !== undefined && at <= info.base) info = await infoOf(this.#context.driver, info.fork.from);
    return { from: info.id, at, createdAt: info.createdAt };
  }

  #requireRecord(seq: unknown, head: number): void {
    if (typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 && seq <= head) return;
    checkSeq('a record', seq);
    throw this.#nothing(`no record ${Number(seq)}: the newest is ${head}`);
  }

  /**
   * Continues from an earlier record, or from the last turn that had ended at a time. Later records stay in the log.
   */
  async revert(target: RevertTarget): Promise<Head> {
    checkOptions(target);
    const { seq } = await this.info();
    const to = await revertTo(this.#place, target, seq);
    return this.#append([{ kind: 'revert', data: { to } }], { expect: seq });
  }

  /** Undoes the latest revert. Records written since then stay in the log. */
  async unrevert(): Promise<Head> {
    const { seq } = await this.info();
    const revert = await newestRevert(this.#place);
    if (revert === undefined) throw this.#nothing('no revert to undo');
    return this.#append([{ kind: 'revert', data: { to: revert.seq - 1, undo: revert.seq } }], { expect: seq });
  }

  /**
   * Replaces a range of records by a summary, or records what a function made of the messages. Resolves to undefined if
   * the function changed nothing. An append by another writer is a conflict. A replacement without content is refused.
   */
  async compact(checkpoint: NewCheckpoint, options?: AppendOptions): Promise<Head>;
  async compact(shorten: Shorten, options?: ShortenLogOptions): Promise<Head | undefined>;
  async compact(how: NewCheckpoint | Shorten, given: ShortenLogOptions = {}): Promise<Head | undefined> {
    checkOptions(given);
    checkSeq('expect', given.expect);
    const { dialect, ...options } = given;
    if (typeof how === 'function') {
      const records = await this.load();
      const done = await this.#compactedBefore(records, options.op);
      if (done !== undefined) return done;
      const data = await shortenLog(records, how, dialect);
      if (data === undefined) return undefined;
      return this.#append([{ kind: 'checkpoint', data }], { expect: records.at(-1)?.seq ?? 0, ...options });
    }
    checkOptions(how);
    const { from, to } = how;
    const { seq } = await this.info();
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to || to > seq) {
      throw this.#nothing(`no records ${from} to ${to}: the newest is ${seq}`);
    }
    await checkStandIn(how, () => this.load({ after: from - 1, before: to + 1 }));
    return this.#append([{ kind: 'checkpoint', data: how }], options);
  }

  /** The head of an earlier compaction with this operation name. Shared records of a fork do not count. */
  async #compactedBefore(records: readonly StoredRecord[], op: string | undefined): Promise<Head | undefined> {
    const isIt = (record: StoredRecord): boolean => record.op === op && record.kind === 'checkpoint';
    const last = op === undefined ? undefined : records.findLast(isIt);
    if (last === undefined) return undefined;
    const { base } = await this.info();
    const head = await this.#context.driver.head(this.id);
    return head === undefined || last.seq <= base ? undefined : { seq: last.seq, epoch: head.epoch };
  }

  /** Undoes the latest compaction: the history contains its records again. */
  async uncompact(): Promise<Head> {
    const { seq } = await this.info();
    const checkpoint = await newestCheckpoint(this.#place);
    if (checkpoint === undefined) throw this.#nothing('no compaction to undo');
    return this.#append([{ kind: 'checkpoint', data: { undo: checkpoint.seq } }], { expect: seq });
  }

  /** Keeps a message in the history even if a compaction covers it. */
  async pin(seq: number): Promise<Head> {
    this.#requireRecord(seq, (await this.info()).seq);
    return this.#append([{ kind: 'pin', data: { seq, pinned: true } }], {});
  }

  async unpin(seq: number): Promise<Head> {
    this.#requireRecord(seq, (await this.info()).seq);
    return this.#append([{ kind: 'pin', data: { seq, pinned: false } }], {});
  }

  /** Hides the session from lists. It stays readable and writable. */
  async archive(): Promise<Head> {
    return this.#append([{ kind: 'state', data: { archived: true } }], { change: { archived: true } });
  }

  async unarchive(): Promise<Head> {
    return this.#append([{ kind: 'state', data: { archived: false } }], { change: { archived: false } });
  }

  async rename(title: string): Promise<Head> {
    if (typeof title !== 'string')
      throw new StoreError('unsupported', `the title must be a string, not ${typeof title}`);
    return this.#append([{ kind: 'state', data: { title } }], { change: { title } });
  }

  /** Creates a child session, linked in both directions. */
  async delegate(options: Omit<CreateOptions, 'parent'> = {}): Promise<Session> {
    checkOptions(options);
    return new Session(await createSession(this.#context, { ...options, parent: this.id }), this.#context);
  }

  /** Reports the progress of each child session. */
  async children(): Promise<readonly ChildReport[]> {
    const reports: ChildReport[] = [];
    for (const link of await childrenOf(this.#context.driver, this.id)) {
      reports.push(await reportChild(this.#context.driver, link));
    }
    return reports;
  }

  /** Exports the session as JSON lines. */
  export(): AsyncGenerator<Uint8Array> {
    return exportSession(this.#context.driver, this.id);
  }

  async verify(): Promise<SessionVerdict> {
    return verifySession(this.#context.driver, this.id);
  }

  /**
   * Makes a damaged session writable again: `prefix` keeps the records before the damage, `salvage` all sound records.
   */
  async mend(how: Mending): Promise<DriverVerdict> {
    const { driver } = this.#context;
    if (!['prefix', 'salvage'].includes(how)) throw new StoreError('unsupported', 'mend takes "prefix" or "salvage"');
    const verdict = await this.#writer.exclusively(async (lease) => {
      if (how === 'prefix') await refuseIfForksLose(driver, this.id);
      return driver.mend?.(lease, how);
    });
    if (verdict !== undefined) return verdict;
    throw new StoreError('unsupported', `${driver.url} cannot mend a session`, { session: this.id });
  }

  async erase(options: EraseOptions = {}): Promise<Receipt> {
    // This handle now belongs to the erased session, not to a later one with the same id.
    this.#taken = this.#writer;
    return eraseSession(this.#context, this.id, options);
  }

  /** Releases the lease for other writers. The handle stays usable. */
  async close(): Promise<void> {
    // Writes through other handles of this store used the same lease.
    const writer = this.#taken?.isOver === false ? this.#taken : this.#context.writers.get(this.id);
    await writer?.release();
  }

  get #place(): { readonly driver: Context['driver']; readonly session: string } {
    return { driver: this.#context.driver, session: this.id };
  }

  #nothing(what: string): StoreError {
    return new StoreError('missing', `session ${JSON.stringify(this.id)} has ${what}`, { session: this.id });
  }
}
