import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Driver } from '../packages/store/src/driver.ts';
import { type Halves, startHalves, streamHalves } from './store-halves.ts';
import { createPairing, type Message, readStretch } from './store-pairing.ts';
import { appendData, inFolder, lightMessages, openStore, startSession } from './store-records.ts';
import { runJob } from './child.ts';

/** What a process did with one log, and its memory before and after. */
export type Read = { ms: number; processorMs: number; rssMegabytes: number; count: number };
export type ReadKind = 'resume' | 'verify' | 'crc floor' | 'stream' | 'halves' | 'stream floor' | 'load' | 'load floor';
export type StoreReadJob = { root: string; session: string; kind: ReadKind };
export type StoreReads = { messages: number; bytes: number; reads: Record<ReadKind, Read>; cold: Read | undefined };
export type Listing = { sessions: number; ms: number; logsOpened: number };

const chunkBytes = 256 * 1024;

/** Every line of a file, one chunk after another, and nothing checked. */
function eachLine(path: string, visit: (bytes: Buffer, from: number, to: number) => void): void {
  const file = openSync(path, 'r');
  let [buffer, filled] = [Buffer.allocUnsafe(chunkBytes), 0];
  for (;;) {
    const count = readSync(file, buffer, filled, buffer.length - filled, null);
    filled += count;
    let from = 0;
    for (let to = buffer.indexOf(10); to >= 0 && to < filled; to = buffer.indexOf(10, from)) {
      visit(buffer, from, to);
      from = to + 1;
    }
    if (count === 0) break;
    buffer.copy(buffer, 0, from, filled);
    filled -= from;
    if (filled > buffer.length / 2) buffer = Buffer.concat([buffer.subarray(0, filled), Buffer.alloc(buffer.length)]);
  }
  closeSync(file);
}

const recordIn = (line: Buffer, from: number, to: number): Message =>
  (JSON.parse(line.toString('utf8', from, to)) as [string, number, number, Message])[3];

type At = {
  readonly log: string;
  readonly root: string;
  readonly session: string;
  /** Started before the clock, where they are wanted: to load code is no reading, on whatever thread. */
  readonly halves: Halves | undefined;
};
type Work = (at: At, driver: () => Promise<Driver>) => Promise<number>;

const works: Readonly<Record<ReadKind, Work>> = {
  resume: async ({ session }, open) => {
    const driver = await open();
    const info = await driver.info(session);
    let count = 0;
    for await (const records of driver.read(session, { backward: true, limit: 200 })) {
      for (const { bytes } of records) count += JSON.parse(Buffer.from(bytes).toString()) === null ? 0 : 1;
    }
    return count + (info?.seq === undefined ? 1 : 0);
  },
  verify: async ({ session }, open) => {
    const { records, damages } = await (await open()).verify(session);
    return damages.length === 0 ? records : -1;
  },
  'crc floor': async ({ log }) => {
    let [count, sum] = [0, 0];
    eachLine(log, (bytes, from, to) => {
      sum = crc32(bytes.subarray(from, to), sum);
      count += 1;
    });
    return sum === 0 ? -1 : count - 1;
  },
  stream: async ({ session }, open) => {
    const pairing = createPairing();
    const count = await readStretch(await open(), { session }, pairing.see);
    return count + pairing.calls.size;
  },
  halves: async ({ root, session, halves }, open) =>
    halves === undefined ? -1 : streamHalves(await open(), halves, { root, session }),
  'stream floor': async ({ log }) => {
    const pairing = createPairing();
    let count = -1;
    eachLine(log, (bytes, from, to) => {
      pairing.see(recordIn(bytes, from, to));
      count += 1;
    });
    return count + pairing.calls.size;
  },
  load: async ({ session }, open) => {
    const kept: Message[] = [];
    await readStretch(await open(), { session }, (record) => void kept.push(record));
    return kept.length;
  },
  'load floor': async ({ log }) => {
    const kept: Message[] = [];
    eachLine(log, (bytes, from, to) => void kept.push(recordIn(bytes, from, to)));
    return kept.length - 1;
  },
};

/** Runs in a process of its own, which has loaded everything before the clock starts. */
export async function readStore({ root, session, kind }: StoreReadJob): Promise<Read> {
  const log = join(root, 'sessions', `s-${session}`, 'log.jsonl');
  const file = openSync(log, 'r');
  fstatSync(file);
  closeSync(file);
  const halves = kind === 'halves' ? await startHalves() : undefined;
  const before = process.memoryUsage.rss();
  const usage = process.cpuUsage();
  const started = performance.now();
  const count = await works[kind]({ log, root, session, halves }, () => openStore(root, 'strict'));
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(usage);
  const peak = process.resourceUsage().maxRSS * 1_024;
  return { ms, processorMs: (user + system) / 1_000, rssMegabytes: (peak - before) / 1e6, count };
}

/** Fills a session with so many messages, a turn at a time and without syncs: only the reading is measured. */
async function fill(root: string, session: string, messages: number): Promise<void> {
  const driver = await openStore(root, 'os');
  const writing = await startSession(driver, session);
  const source = lightMessages(7);
  for (let done = 0; done < messages; done += 4) {
    await appendData(
      writing,
      Array.from({ length: Math.min(4, messages - done) }, () => source.next().value),
    );
  }
  await driver.release(writing.lease);
  await driver.close();
}

const noFlags = { flags: ['--max-old-space-size=8192'] };

const readOnce = (job: StoreReadJob): Promise<Read> => runJob('storeRead', job, noFlags);

/** The shortest time and the least memory of two reads: a busy machine only ever adds. */
const better = (a: Read | undefined, b: Read): Read => ({
  ...b,
  ms: Math.min(a?.ms ?? Infinity, b.ms),
  processorMs: Math.min(a?.processorMs ?? Infinity, b.processorMs),
  rssMegabytes: Math.min(a?.rssMegabytes ?? Infinity, b.rssMegabytes),
});

/** The pages of one file leave the cache of the system, as far as it lets us. */
function dropPages(path: string): boolean {
  const tool = { name: 'dd', args: [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'] };
  return spawnSync(tool.name, tool.args).status === 0;
}

export async function measureReads(messages: number, times: number): Promise<StoreReads> {
  return inFolder(async (folder) => {
    const root = join(folder, 'store');
    await fill(root, 'long', messages);
    const kinds = Object.keys(works) as ReadKind[];
    const reads: Partial<Record<ReadKind, Read>> = {};
    // All kinds in turn, round after round, so that a slow moment hits a read and its floor alike.
    for (let time = 0; time < times; time += 1)
      for (const kind of kinds) reads[kind] = better(reads[kind], await readOnce({ root, session: 'long', kind }));
    const wrong = kinds.find((kind) => kind !== 'resume' && reads[kind]?.count !== messages);
    if (wrong !== undefined) throw new Error(`${wrong} came to ${reads[wrong]?.count} of ${messages} messages`);
    const log = join(root, 'sessions', 's-long', 'log.jsonl');
    const cold = dropPages(log) ? await readOnce({ root, session: 'long', kind: 'resume' }) : undefined;
    const file = openSync(log, 'r');
    const { size } = fstatSync(file);
    closeSync(file);
    return { messages, bytes: size, reads: reads as Record<ReadKind, Read>, cold };
  });
}

/** One session of more bytes than a string or a buffer of Node can hold. */
export async function measureHuge(bytes: number): Promise<{ bytes: number; resume: Read; verify: Read }> {
  return inFolder(async (folder) => {
    const root = join(folder, 'store');
    const driver = await openStore(root, 'os');
    const writing = await startSession(driver, 'huge');
    // Pieces below the length that is stored apart, so that the log itself becomes that long.
    const piece = 'some words of a very long session '.repeat(1_500);
    const record = Array.from({ length: 80 }, () => piece);
    const size = piece.length * record.length;
    for (let done = 0; done < bytes; done += size) await appendData(writing, [record]);
    await driver.release(writing.lease);
    await driver.close();
    const resume = await readOnce({ root, session: 'huge', kind: 'resume' });
    return { bytes, resume, verify: await readOnce({ root, session: 'huge', kind: 'verify' }) };
  });
}
