import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { runJob } from './child.ts';
import { count, type Effort, type Reading } from './measure.ts';
import { logOf, type ReadKind } from './store-reading.ts';
import { appendData, inFolder, lightMessages, openStore, startSession } from './store-records.ts';

/** Measures the store beside what it cannot be faster than, all in one run and on one disk. */
export async function measureStore({ seed, quick, progress }: Effort): Promise<Reading[]> {
  progress('durable appends');
  const appends = { seed, rounds: quick ? 3 : 9, appends: quick ? 150 : 400 };
  const readings = await runJob('storeAppend', appends, []);
  progress('PostgreSQL');
  readings.push(...(await runJob('storePostgres', quick ? { rounds: 3, scale: 1 } : { rounds: 8, scale: 3 }, [])));
  progress('growth of a session, and of one in LangGraph');
  readings.push(...(await runJob('storeGrowth', { seed, quick }, [])));
  const times = quick ? 3 : 5;
  progress('reading 1k messages');
  const short = await measureReads(1_000, times);
  const messages = quick ? 100_000 : 1_000_000;
  progress(`reading ${count(messages)} messages`);
  return [...readings, ...readingsOf(await measureReads(messages, times), short)];
}

const kinds: readonly ReadKind[] = ['resume', 'verify', 'scan', 'stream', 'streamFloor', 'load', 'loadFloor'];
type Best = { ms: number; megabytes: number };
type Reads = { messages: number; bytes: number; best: Record<ReadKind, Best>; coldMs: number };

function readingsOf({ messages, bytes, best, coldMs }: Reads, short: Reads): Reading[] {
  const on = `${count(messages)}, ${Math.round(bytes / 1e6)} MB`;
  const ms = (kind: ReadKind): number => best[kind].ms;
  return [
    { target: 'resumeWarm', on, ours: ms('resume') },
    { target: 'resumeCold', on, ours: coldMs },
    { target: 'resumeLong', on, ours: ms('resume'), peer: short.best.resume.ms },
    { target: 'verify', on, ours: ms('verify'), peer: ms('scan') },
    { target: 'stream', on, ours: ms('stream'), peer: ms('streamFloor') },
    { target: 'streamMemory', on, ours: best.stream.megabytes },
    { target: 'load', on, ours: ms('load'), peer: ms('loadFloor') },
    { target: 'loadMemory', on, ours: best.load.megabytes, peer: bytes / 1e6 },
  ];
}

async function measureReads(messages: number, times: number): Promise<Reads> {
  return inFolder(async (folder) => {
    const at = { root: join(folder, 'store'), session: 'long' };
    await fill(at, messages);
    const read = async (kind: ReadKind): Promise<Best> => {
      const { count: came, ...read } = await runJob('storeRead', { ...at, kind }, ['--max-old-space-size=8192']);
      if (came !== messages) throw new Error(`${kind} came to ${came} of ${messages} messages`);
      return read;
    };
    const best = Object.fromEntries(kinds.map((kind) => [kind, { ms: Infinity, megabytes: Infinity }]));
    // All kinds in turn, round after round, so that a slow moment hits a read and its floor alike.
    for (let time = 0; time < times; time += 1) {
      for (const kind of kinds) {
        const { ms, megabytes } = await read(kind);
        const before = best[kind] ?? { ms, megabytes };
        best[kind] = { ms: Math.min(before.ms, ms), megabytes: Math.min(before.megabytes, megabytes) };
      }
    }
    dropPages(logOf(at));
    const { ms: coldMs } = await read('resume');
    return { messages, bytes: statSync(logOf(at)).size, best: best as Record<ReadKind, Best>, coldMs };
  });
}

/** Fills a session a turn at a time and without syncs: only the reading is measured. */
async function fill({ root, session }: { root: string; session: string }, messages: number): Promise<void> {
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

/** The pages of one file leave the cache of the system. */
function dropPages(path: string): void {
  const tool = { name: 'dd', args: [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'] };
  if (spawnSync(tool.name, tool.args).status !== 0) throw new Error('dd cannot drop the pages of a file');
}
