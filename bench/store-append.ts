import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { realFiles } from '../packages/store/src/drivers/file/files.ts';
import { median } from './measure.ts';
import { appendData, entryOf, inFolder, openStore, startSession, type Writing } from './store-records.ts';
import { createText } from './text.ts';

export type AppendRate = { perSecond: number; p50Ms: number };
export type StoreAppends = {
  recordBytes: number;
  raw: AppendRate;
  /** The same into a file that was filled with zeros before; `filled` counts the filling too. */
  reserved: AppendRate;
  filled: AppendRate;
  one: AppendRate;
  many: { sessions: number; rate: AppendRate }[];
  slow: { sessions: number; stallMs: number; idleStallMs: number; perSecond: number; best: number };
};

export type StoreAppendJob = { seed: number; rounds: number; appends: number };

/** The text makes a record of about 654 bytes. */
const dataOf = (text: string): unknown => ({ dialect: 'anthropic-messages', wire: { role: 'user', content: text } });

function rateOf(waits: number[], ms: number): AppendRate {
  return { perSecond: (waits.length / ms) * 1_000, p50Ms: median(waits) };
}

const better = (a: AppendRate | undefined, b: AppendRate): AppendRate =>
  a === undefined || b.perSecond > a.perSecond ? b : a;

/** A file of zeros that so many appends fit into; zeros that are written need no new blocks and no new length. */
function reserve(path: string, text: string, appends: number): number {
  const file = openSync(path, 'w');
  const bytes = Buffer.alloc((entryOf(appends, dataOf(text)).bytes.length + 1) * appends);
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
  fsyncSync(file);
  return file;
}

/** A write and a sync of the same bytes each time, and nothing else; at the end of a file, or over what it has. */
function timeRaw(
  file: number,
  over: 'end' | 'zeros',
  { text, appends }: { text: string; appends: number },
): AppendRate {
  const waits: number[] = [];
  let at = 0;
  const started = performance.now();
  for (let seq = 1; seq <= appends; seq += 1) {
    const asked = performance.now();
    const { bytes } = entryOf(seq, dataOf(text));
    const line = Buffer.allocUnsafe(bytes.length + 1);
    line.set(bytes);
    line[bytes.length] = 10;
    writeSync(file, line, 0, line.length, over === 'end' ? null : at);
    at += line.length;
    fdatasyncSync(file);
    waits.push(performance.now() - asked);
  }
  const ms = performance.now() - started;
  closeSync(file);
  return rateOf(waits, ms);
}

/** Every session waits for its own acknowledgement before it appends again. */
async function timeSessions(writings: readonly Writing[], text: string, each: number): Promise<AppendRate> {
  const waits: number[] = [];
  const started = performance.now();
  await Promise.all(
    writings.map(async (writing) => {
      for (let count = 0; count < each; count += 1) {
        const asked = performance.now();
        await appendData(writing, [dataOf(text)]);
        waits.push(performance.now() - asked);
      }
    }),
  );
  return rateOf(waits, performance.now() - started);
}

const crowds = [8, 64, 256];

/** The longest time that the event loop did nothing for others while work went on. */
async function longestStall<T>(work: Promise<T>): Promise<{ longest: number; result: T }> {
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
  return { longest, result: await ended };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A disk whose every sync takes 10 ms, in this thread or in another; what the real one takes is not added. */
async function timeSlow(folder: string, text: string): Promise<StoreAppends['slow']> {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const slowFiles = {
    ...realFiles,
    sync: () => void Atomics.wait(cell, 0, 0, 10),
    syncLater: () => pause(10),
  };
  const driver = await openStore(join(folder, 'slow'), 'strict', slowFiles);
  const sessions = 64;
  const writings: Writing[] = [];
  for (let index = 0; index < sessions; index += 1) writings.push(await startSession(driver, `slow-${index}`));
  await timeSessions(writings, text, 4);
  const { longest, result } = await longestStall(timeSessions(writings, text, 60));
  const idle = await longestStall(pause(600));
  await driver.close();
  const best = (sessions / 10) * 1_000;
  return { sessions, stallMs: longest, idleStallMs: idle.longest, perSecond: result.perSecond, best };
}

/** Writes into zeros, by itself and together with what it took to write the zeros. */
function timeReserved(path: string, work: { text: string; appends: number }): [AppendRate, AppendRate] {
  const started = performance.now();
  const reserved = timeRaw(reserve(path, work.text, work.appends), 'zeros', work);
  return [reserved, { ...reserved, perSecond: (work.appends / (performance.now() - started)) * 1_000 }];
}

export async function measureStoreAppends({ seed, rounds, appends }: StoreAppendJob): Promise<StoreAppends> {
  const text = createText(seed).text(470);
  return inFolder(async (folder) => {
    const driver = await openStore(join(folder, 'store'), 'strict');
    const writings: Writing[] = [];
    for (let index = 0; index < 256; index += 1) writings.push(await startSession(driver, `session-${index}`));
    const best = new Map<string, AppendRate>();
    for (let round = 0; round <= rounds; round += 1) {
      const raw = timeRaw(openSync(join(folder, 'raw.jsonl'), 'a'), 'end', { text, appends });
      const [reserved, filled] = timeReserved(join(folder, 'reserved.jsonl'), { text, appends });
      const rates = new Map([
        ['raw', raw],
        ['reserved', reserved],
        ['filled', filled],
      ]);
      for (const count of [1, ...crowds]) {
        const each = Math.max(8, Math.ceil((appends * Math.min(count, 16)) / count));
        rates.set(String(count), await timeSessions(writings.slice(0, count), text, each));
      }
      // The first round warms the code and is not counted.
      if (round > 0) for (const [name, rate] of rates) best.set(name, better(best.get(name), rate));
    }
    await driver.close();
    const slow = await timeSlow(folder, text);
    const bestOf = (name: string): AppendRate => {
      const rate = best.get(name);
      if (rate === undefined) throw new Error('nothing was measured');
      return rate;
    };
    const recordBytes = entryOf(1_000, dataOf(text)).bytes.length;
    const [raw, reserved, filled, one] = [bestOf('raw'), bestOf('reserved'), bestOf('filled'), bestOf('1')];
    const many = crowds.map((sessions) => ({ sessions, rate: bestOf(String(sessions)) }));
    return { recordBytes, raw, reserved, filled, one, many, slow };
  });
}
