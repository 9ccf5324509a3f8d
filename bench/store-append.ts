import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Driver } from '@rethread/store';
import { realFiles } from '../packages/store/src/drivers/file/files.ts';
import { median, type Reading } from './measure.ts';
import {
  appendData,
  bestRates,
  entryOf,
  inFolder,
  lineOf,
  openStore,
  startSession,
  type Append,
  type Contest,
} from './store-records.ts';
import { createText } from './text.ts';

type Job = { seed: number; rounds: number; appends: number };

/** Appends of equal records, each as durable as a sync makes it, beside a raw file and SQLite. */
export async function measure({ seed, rounds, appends }: Job): Promise<Reading[]> {
  // The text makes a record of about 654 bytes.
  const content = createText(seed).text(470);
  const data = { dialect: 'anthropic-messages', wire: { role: 'user', content } };
  return inFolder(async (folder) => {
    const driver = await openStore(join(folder, 'store'), 'strict');
    const raw = rawFile(join(folder, 'raw.jsonl'), data);
    const [sqlite, grouped] = ['each', 'grouped'].map((name) => openSqlite(join(folder, `${name}.db`), data));
    if (sqlite === undefined || grouped === undefined) throw new Error('there are two databases');
    const many = appends * 16;
    const rates = await bestRates(
      {
        raw: { sessions: 1, appends, append: raw.append },
        sqlite: { sessions: 1, appends, append: sqlite.append },
        one: await contest(driver, { name: 'one', sessions: 1, appends }, data),
        crowd64: await contest(driver, { name: 'some', sessions: 64, appends: many }, data),
        sqlite64: { sessions: 64, appends: many, append: grouped.appendGrouped },
        crowd256: await contest(driver, { name: 'many', sessions: 256, appends: many }, data),
        sqlite256: { sessions: 256, appends: many, append: grouped.appendGrouped },
      },
      rounds,
    );
    for (const each of [driver, raw, sqlite, grouped]) await each.close();
    const rate = (name: keyof typeof rates): number => rates[name].perSecond;
    const wait = { ours: median(rates.crowd64.waits), peer: median(rates.raw.waits) };
    return [
      { target: 'appendOne', on: 'strict', ours: rate('one'), peer: rate('raw') },
      { target: 'appendSqlite', on: 'strict', ours: rate('one'), peer: rate('sqlite') },
      { target: 'groupRaw64', on: '64 sessions', ours: rate('crowd64'), peer: rate('raw') },
      { target: 'groupRaw256', on: '256 sessions', ours: rate('crowd256'), peer: rate('raw') },
      { target: 'groupSqlite', on: '64 sessions', ours: rate('crowd64'), peer: rate('sqlite64') },
      { target: 'groupSqlite', on: '256 sessions', ours: rate('crowd256'), peer: rate('sqlite256') },
      { target: 'groupWait', on: '64 sessions', ...wait },
      await slowSyncs(join(folder, 'slow'), data),
    ];
  });
}

type Named = { name: string; sessions: number; appends: number };

async function contest(driver: Driver, { name, sessions, appends }: Named, data: unknown): Promise<Contest> {
  const writings = await Promise.all(
    Array.from({ length: sessions }, (_, index) => startSession(driver, `${name}-${index}`)),
  );
  const append: Append = async (session) => {
    const writing = writings[session];
    if (writing === undefined) throw new Error(`there is no session ${session}`);
    await appendData(writing, [data]);
  };
  return { sessions, appends, append };
}

/** A write and a sync of the same bytes each time, and nothing else. */
function rawFile(path: string, data: unknown): { append: Append; close: () => void } {
  const file = openSync(path, 'a');
  const append: Append = async (_, seq) => {
    writeSync(file, lineOf(seq, data));
    fdatasyncSync(file);
  };
  return { append, close: () => closeSync(file) };
}

type Sqlite = { append: Append; appendGrouped: Append; close: () => void };

/** SQLite as durable as our store: one transaction for each append, or one for all that a tick brings. */
function openSqlite(path: string, data: unknown): Sqlite {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table log (session, seq, body)');
  const insert = database.prepare('insert into log values (?, ?, ?)');
  const append: Append = async (session, seq) => insert.run(session, seq, entryOf(seq, data).bytes);
  let waiting: { session: number; seq: number; done: () => void }[] = [];
  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    database.exec('begin');
    for (const { session, seq } of batch) insert.run(session, seq, entryOf(seq, data).bytes);
    database.exec('commit');
    for (const { done } of batch) done();
  };
  const appendGrouped: Append = (session, seq) =>
    new Promise<void>((done) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ session, seq, done });
    });
  return { append, appendGrouped, close: () => database.close() };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The longest stall of the event loop, on a disk whose every sync takes 10 ms, in this thread or in another. */
async function slowSyncs(root: string, data: unknown): Promise<Reading> {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const slowFiles = { ...realFiles, sync: () => void Atomics.wait(cell, 0, 0, 10), syncLater: () => pause(10) };
  const driver = await openStore(root, 'strict', slowFiles);
  const crowd = await contest(driver, { name: 'slow', sessions: 64, appends: 64 * 60 }, data);
  await bestRates({ crowd: { ...crowd, appends: 64 * 4 } }, 1);
  const ours = await longestStall(bestRates({ crowd }, 1));
  await driver.close();
  return { target: 'stall', on: '64 sessions', ours, peer: await longestStall(pause(600)) };
}

/** The longest time that the event loop did nothing for others while work went on. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  const state = { going: true };
  let [last, longest] = [performance.now(), 0];
  const ended = work.finally(() => {
    state.going = false;
  });
  while (state.going) {
    await new Promise((resolve) => void setImmediate(resolve));
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await ended;
  return longest;
}
