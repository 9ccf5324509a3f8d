import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { realFiles } from '../packages/store/src/drivers/file/files.ts';
import { median } from './measure.ts';
import { appendData, entryOf, inFolder, openStore, startSession, type Writing } from './store-records.ts';
import { createText } from './text.ts';

export type AppendRate = { perSecond: number; p50Ms: number };
export type StoreAppends = {
  recordBytes: number;
  raw: AppendRate;
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

/** A write and a sync of the same bytes each time, and nothing else. */
function timeRaw(path: string, text: string, appends: number): AppendRate {
  const file = openSync(path, 'a');
  const waits: number[] = [];
  const started = performance.now();
  for (let seq = 1; seq <= appends; seq += 1) {
    const asked = performance.now();
    const { bytes } = entryOf(seq, dataOf(text));
    const line = Buffer.allocUnsafe(bytes.length + 1);
    line.set(bytes);
    line[bytes.length] = 10;
    writeSync(file, line);
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

export async function measureStoreAppends({ seed, rounds, appends }: StoreAppendJob): Promise<StoreAppends> {
  const text = createText(seed).text(470);
  return inFolder(async (folder) => {
    const driver = await openStore(join(folder, 'store'), 'strict');
    const writings: Writing[] = [];
    for (let index = 0; index < 256; index += 1) writings.push(await startSession(driver, `session-${index}`));
    let [raw, one]: (AppendRate | undefined)[] = [];
    const many = new Map<number, AppendRate>();
    for (let round = 0; round <= rounds; round += 1) {
      const rates = [timeRaw(join(folder, 'raw.jsonl'), text, appends)];
      for (const count of [1, ...crowds]) {
        const each = Math.max(8, Math.ceil((appends * Math.min(count, 16)) / count));
        rates.push(await timeSessions(writings.slice(0, count), text, each));
      }
      // The first round warms the code and is not counted.
      if (round === 0) continue;
      const [rawRate, oneRate, ...rest] = rates;
      if (rawRate === undefined || oneRate === undefined) continue;
      raw = better(raw, rawRate);
      one = better(one, oneRate);
      for (const [index, rate] of rest.entries()) {
        const count = crowds[index] ?? 0;
        many.set(count, better(many.get(count), rate));
      }
    }
    await driver.close();
    const slow = await timeSlow(folder, text);
    if (raw === undefined || one === undefined) throw new Error('nothing was measured');
    const recordBytes = entryOf(1_000, dataOf(text)).bytes.length;
    return { recordBytes, raw, one, many: [...many].map(([sessions, rate]) => ({ sessions, rate })), slow };
  });
}
