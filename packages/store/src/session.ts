import { type History, project } from '@rethread/core';

import { checkOptions, checkSeq, checkSignal } from './arguments.ts';
import { type ChildReport, childrenOf, reportChild } from './children.ts';
import { type NewCheckpoint, type Shorten, shortenLog, type ShortenLogOptions } from './compaction.ts';
import { type Context, type CreateOptions, createSession, type ForkSource, writerOf } from './context.ts';
import type { DriverVerdict, Head, Mending, Range, SessionInfo } from './driver.ts';
import { type EraseOptions, type Receipt, eraseSession, refuseIfForksLose } from './erase.ts';
import { exportSession } from './export.ts';
import { halfImported } from './refusals.ts';
import { type RevertTarget, newestCheckpoint, newestRevert, revertTo } from './going-back.ts';
import { infoOf, loadRecords, readLog, readRecords, toRecord } from './log.ts';
import { type Page, type PageOptions, readPage } from './page.ts';
import { type NewRecord, type StoredRecord, toSessionRecord } from './record.ts';
import { checkForm } from './record-form.ts';
import { StoreError } from './store-error.ts';
import { checkStandIn } from './stand-in.ts';
import { type SessionVerdict, verifySession } from './verify.ts';
import type { AppendOptions, Change, Writer } from './writer.ts';

export type FollowOptions = {
  /** Only what comes after this record; everything where it is left out. */
  readonly after?: number;
  /** Ends the following, without an error. */
  readonly signal: AbortSignal;
};

export type ForkOptions = CreateOptions & {
  /** The last record that the fork shares; the newest one where it is left out. */
  readonly at?: number;
};

/** One record or several as a list; whatever else is given is no record. */
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

/** One durable identity with an ordered log. Nothing that was appended is ever rewritten; only `erase` removes it. */
export class Session {
  readonly id: string;
  readonly #context: Context;
  /** Taken when something is written. Once it is lost it stays: whoever holds this handle has to notice. */
  #taken: Writer | undefined;

  /** Handles are given out by a store. */
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

  /** Resolves when the records are as durable as the store promises; all of them are written, or none. */
  async append(records: NewRecord | readonly NewRecord[], options: AppendOptions = {}): Promise<Head> {
    checkOptions(options);
    checkSeq('expect', options.expect);
    const list = listOf(records);
    for (const record of list) checkForm(record);
    return this.#writer.append(list, options);
  }

  async #append(records: readonly NewRecord[], options: AppendOptions & { readonly change?: Change }): Promise<Head> {
    return this.#writer.append(records, options);
  }

  /** Records one by one, from the oldest or, backward, from the newest on. */
  read(range: Range = {}): AsyncGenerator<StoredRecord> {
    return readRecords(this.#context.driver, this.id, range);
  }

  /** Records in one list, for those who want them all. */
  async load(range: Range = {}): Promise<readonly StoredRecord[]> {
    return loadRecords(this.#context.driver, this.id, range);
  }

  /** Records from the end, some whole turns at a time. */
  async page(options: PageOptions = {}): Promise<Page> {
    return readPage(this.#context.driver, this.id, options);
  }

  /** The history that the log stands for; undefined while it holds no message. */
  async project(): Promise<History | undefined> {
    return project((await this.load()).map(toSessionRecord));
  }

  /** The records there are, and then those that come, by whomever they are written. */
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

  /** A new session that shares the records up to `at` and goes its own way from there. */
  async fork(options: ForkOptions = {}): Promise<Session> {
    checkOptions(options);
    const { at, ...about } = options;
    const source = await this.#forkSource(at);
    return new Session(await createSession(this.#context, about, source), this.#context);
  }

  /** The session that holds the record itself: a fork of a fork need not keep the session between. */
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

  /** Goes on from an earlier record, or from the last turn that was over at a time. The rest stays in the log. */
  async revert(target: RevertTarget): Promise<Head> {
    checkOptions(target);
    const { seq } = await this.info();
    const to = await revertTo(this.#place, target, seq);
    return this.#append([{ kind: 'revert', data: { to } }], { expect: seq });
  }

  /** Takes the newest revert back: the session is as it was before it. What was written since stays in the log. */
  async unrevert(): Promise<Head> {
    const { seq } = await this.info();
    const revert = await newestRevert(this.#place);
    if (revert === undefined) throw this.#nothing('no revert to take back');
    return this.#append([{ kind: 'revert', data: { to: revert.seq - 1, undo: revert.seq } }], { expect: seq });
  }

  /**
   * Lets a summary stand for a range of records, as one record; or has the messages shortened by a function and records
   * what it made of them. Resolves to undefined where it changed nothing; an append by somebody else is a conflict.
   * What would leave nothing in the place of the messages is refused.
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

  /** The head that a compaction made under this name; what a fork shares was done by another session. */
  async #compactedBefore(records: readonly StoredRecord[], op: string | undefined): Promise<Head | undefined> {
    const isIt = (record: StoredRecord): boolean => record.op === op && record.kind === 'checkpoint';
    const last = op === undefined ? undefined : records.findLast(isIt);
    if (last === undefined) return undefined;
    const { base } = await this.info();
    const head = await this.#context.driver.head(this.id);
    return head === undefined || last.seq <= base ? undefined : { seq: last.seq, epoch: head.epoch };
  }

  /** Takes the newest compaction back: what it stood for is in the history again. */
  async uncompact(): Promise<Head> {
    const { seq } = await this.info();
    const checkpoint = await newestCheckpoint(this.#place);
    if (checkpoint === undefined) throw this.#nothing('no compaction to take back');
    return this.#append([{ kind: 'checkpoint', data: { undo: checkpoint.seq } }], { expect: seq });
  }

  /** Keeps a message in the history when a compaction covers it. */
  async pin(seq: number): Promise<Head> {
    this.#requireRecord(seq, (await this.info()).seq);
    return this.#append([{ kind: 'pin', data: { seq, pinned: true } }], {});
  }

  async unpin(seq: number): Promise<Head> {
    this.#requireRecord(seq, (await this.info()).seq);
    return this.#append([{ kind: 'pin', data: { seq, pinned: false } }], {});
  }

  /** Leaves the session out of lists; it can be read and written as before. */
  async archive(): Promise<Head> {
    return this.#append([{ kind: 'state', data: { archived: true } }], { change: { archived: true } });
  }

  async unarchive(): Promise<Head> {
    return this.#append([{ kind: 'state', data: { archived: false } }], { change: { archived: false } });
  }

  async rename(title: string): Promise<Head> {
    if (typeof title !== 'string') throw new StoreError('unsupported', `a title is a text, not ${typeof title}`);
    return this.#append([{ kind: 'state', data: { title } }], { change: { title } });
  }

  /** A new session that works for this one, with a link both ways. */
  async delegate(options: Omit<CreateOptions, 'parent'> = {}): Promise<Session> {
    checkOptions(options);
    return new Session(await createSession(this.#context, { ...options, parent: this.id }), this.#context);
  }

  /** How far the sessions came that work for this one. */
  async children(): Promise<readonly ChildReport[]> {
    const reports: ChildReport[] = [];
    for (const link of await childrenOf(this.#context.driver, this.id)) {
      reports.push(await reportChild(this.#context.driver, link));
    }
    return reports;
  }

  /** The session as JSON lines, to be imported anywhere. */
  export(): AsyncGenerator<Uint8Array> {
    return exportSession(this.#context.driver, this.id);
  }

  async verify(): Promise<SessionVerdict> {
    return verifySession(this.#context.driver, this.id);
  }

  /** Makes a damaged session writable again, with what stands before the damage or with all that is sound. */
  async mend(how: Mending): Promise<DriverVerdict> {
    const { driver } = this.#context;
    if (!['prefix', 'salvage'].includes(how)) throw new StoreError('unsupported', 'it is mended by prefix or salvage');
    const verdict = await this.#writer.exclusively(async (lease) => {
      if (how === 'prefix') await refuseIfForksLose(driver, this.id);
      return driver.mend?.(lease, how);
    });
    if (verdict !== undefined) return verdict;
    throw new StoreError('unsupported', `${driver.url} has no way to mend a session`, { session: this.id });
  }

  async erase(options: EraseOptions = {}): Promise<Receipt> {
    // From now on this handle is that of the session that is erased, and not of a later one with its name.
    this.#taken = this.#writer;
    return eraseSession(this.#context, this.id, options);
  }

  /** Gives the lease back, so that others may write; the session can be used again at any time. */
  async close(): Promise<void> {
    // What was written when the session was made, or through another handle, was written under the same lease.
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
