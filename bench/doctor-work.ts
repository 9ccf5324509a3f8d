import { createReadStream, readFileSync } from 'node:fs';
import { judgeSession, openSession, sessions, type SessionRef } from '@rethread/formats';

type Job = { kind: 'judge' | 'split' | 'parse'; path: string } | { kind: 'list'; home: string };
type Outcome = { ms: number; rssMb: number; firstMs?: number; againMs?: number; readKb?: number; found?: number };

/** Splits a file into its lines; the longest line is held, and no more. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
  }
}

const work = {
  judge: async (path: string) => void (await judgeSession(await openSession(path))),
  split: async (path: string) => {
    for await (const line of linesOf(path)) if (line.length < 0) throw new Error('a line has a length');
  },
  parse: async (path: string) => {
    for await (const line of linesOf(path)) JSON.parse(line.toString());
  },
};

const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);

/** Lists sessions twice: the second time with what the first one has remembered. */
async function list(home: string): Promise<Outcome> {
  const known = new Map<string, readonly SessionRef[]>();
  const heads = {
    get: ({ path }: { path: string }) => known.get(path),
    set: ({ path }: { path: string }, found: readonly SessionRef[]) => void known.set(path, found),
  };
  const system = { platform: process.platform, home, env: {} };
  const before = bytesRead();
  const start = performance.now();
  let firstMs: number | undefined;
  let found = 0;
  for await (const { path } of sessions({ system, heads })) {
    firstMs ??= performance.now() - start;
    found += path === '' ? 0 : 1;
  }
  const ms = performance.now() - start;
  const readKb = (bytesRead() - before) / 1024 / found;
  const again = performance.now();
  for await (const { path } of sessions({ system, heads })) found += path === '' ? 1 : 0;
  const againMs = performance.now() - again;
  return { ms, firstMs: firstMs ?? ms, againMs, readKb, found, rssMb: process.resourceUsage().maxRSS / 1e3 };
}

export async function measure(job: Job): Promise<Outcome> {
  if (job.kind === 'list') return list(job.home);
  const start = performance.now();
  await work[job.kind](job.path);
  return { ms: performance.now() - start, rssMb: process.resourceUsage().maxRSS / 1e3 };
}
