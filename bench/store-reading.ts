import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openStore } from './store-records.ts';

/** What a process did with one log, and how much memory that took. */
type Read = { ms: number; megabytes: number; count: number };
export type ReadKind = keyof typeof works;
type At = { root: string; session: string };
type LogRecord = { data?: { role?: string; content?: unknown } } | null;

const chunkBytes = 256 * 1024;

export const logOf = ({ root, session }: At): string => join(root, 'sessions', `s-${session}`, 'log.jsonl');

/** Every line of a file, one chunk after another, and nothing checked. */
function eachLine(path: string, visit: (line: Buffer) => void): void {
  const file = openSync(path, 'r');
  let [buffer, filled] = [Buffer.allocUnsafe(chunkBytes), 0];
  for (;;) {
    const count = readSync(file, buffer, filled, buffer.length - filled, null);
    filled += count;
    let from = 0;
    for (let to = buffer.indexOf(10); to >= 0 && to < filled; to = buffer.indexOf(10, from)) {
      visit(buffer.subarray(from, to));
      from = to + 1;
    }
    if (count === 0) break;
    buffer.copy(buffer, 0, from, filled);
    filled -= from;
    if (filled > buffer.length / 2) buffer = Buffer.concat([buffer.subarray(0, filled), Buffer.alloc(buffer.length)]);
  }
  closeSync(file);
}

/** Every record of a file, beside its checksum, and nothing checked. The first line is no record. */
function eachRecord(path: string, visit: (record: LogRecord) => void): number {
  let count = -1;
  eachLine(path, (line) => {
    visit((JSON.parse(line.toString()) as [string, number, number, LogRecord])[3]);
    count += 1;
  });
  return count;
}

async function readAll({ root, session }: At, visit: (record: LogRecord) => void): Promise<number> {
  const driver = await openStore(root, 'strict');
  let count = 0;
  for await (const records of driver.read(session, {})) {
    for (const { bytes } of records) {
      // The file driver gives out buffers already; wrapping each in another would be measured as reading.
      visit(JSON.parse((bytes instanceof Buffer ? bytes : Buffer.from(bytes)).toString()) as LogRecord);
      count += 1;
    }
  }
  return count;
}

/** The pairing of calls and results, kept as small as it can be. */
function createPairing(): { see: (record: LogRecord) => void; open: () => number } {
  let calls = new Set<string>();
  const see = (record: LogRecord): void => {
    const content = record?.data?.content;
    if (!Array.isArray(content)) return;
    for (const part of content as { type: string; id?: string; tool_use_id?: string }[]) {
      if (part.type === 'tool_use') calls.add(part.id ?? '');
      else if (part.type === 'tool_result') calls.delete(part.tool_use_id ?? '');
    }
    // A set that is added to and deleted from for long keeps its old tables alive, so an empty one is replaced.
    if (calls.size === 0) calls = new Set();
  };
  return { see, open: () => calls.size };
}

const works = {
  resume: async ({ root, session }: At) => {
    const driver = await openStore(root, 'strict');
    const info = await driver.info(session);
    for await (const records of driver.read(session, { backward: true, limit: 200 })) {
      for (const { bytes } of records) JSON.parse(Buffer.from(bytes).toString());
    }
    return info?.seq ?? -1;
  },
  verify: async ({ root, session }: At) => {
    const { records, damages } = await (await openStore(root, 'strict')).verify(session);
    return damages.length === 0 ? records : -1;
  },
  scan: async (at: At) => {
    let [count, sum] = [-1, 0];
    eachLine(logOf(at), (line) => {
      sum = crc32(line, sum);
      count += 1;
    });
    return sum === 0 ? -1 : count;
  },
  stream: async (at: At) => {
    const pairing = createPairing();
    return (await readAll(at, pairing.see)) + pairing.open();
  },
  streamFloor: async (at: At) => {
    const pairing = createPairing();
    return eachRecord(logOf(at), pairing.see) + pairing.open();
  },
  load: async (at: At) => {
    const kept: LogRecord[] = [];
    await readAll(at, (record) => void kept.push(record));
    return kept.length;
  },
  loadFloor: async (at: At) => {
    const kept: LogRecord[] = [];
    return eachRecord(logOf(at), (record) => void kept.push(record));
  },
} as const;

/** Runs in a process of its own, which has loaded everything before the clock starts. */
export async function measure({ kind, ...at }: At & { kind: ReadKind }): Promise<Read> {
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const count = await works[kind](at);
  const ms = performance.now() - started;
  return { ms, megabytes: (process.resourceUsage().maxRSS * 1_024 - before) / 1e6, count };
}
