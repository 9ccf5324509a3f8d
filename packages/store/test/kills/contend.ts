import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { at, entryBy } from './entry.ts';
import { openDriver } from './open-driver.ts';

const contender = fileURLToPath(new URL('contender.ts', import.meta.url));

type Told = {
  ready?: boolean;
  seq?: number;
  id?: string;
  epoch?: number;
  taken?: number;
  refused?: string;
  owner?: number | null;
};

export type Contest = {
  readonly processes: number;
  readonly acknowledged: number;
  readonly takings: number;
  readonly stale: number;
  readonly conflicts: number;
  /** Refusals that did not name the holder. */
  readonly unnamed: number;
  readonly stops: number;
  /** Refusals for any other reason; there must be none. */
  readonly others: number;
};

type Contender = { readonly child: ChildProcess; readonly told: Told[]; readonly ended: Promise<void> };

function start(args: readonly string[]): Contender {
  const child = spawn(process.execPath, [contender, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const told: Told[] = [];
  let [text, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) told.push(JSON.parse(line) as Told);
  });
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    errors += more;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`a contender failed:\n${errors}`))));
  });
  // Waiters are told; nobody may be waiting yet.
  ended.catch(() => undefined);
  return { child, told, ended };
}

const readyMs = 60_000;

/** A busy machine may take seconds to start a process, so measuring starts when all are ready. */
async function allReady(contenders: readonly Contender[]): Promise<void> {
  const isReady = ({ told }: Contender): boolean => told.some(({ ready }) => ready === true);
  for (const began = performance.now(); !contenders.every(isReady); await pause(10)) {
    if (performance.now() - began > readyMs) throw new Error(`the contenders were not ready within ${readyMs} ms`);
    await Promise.race([pause(0), ...contenders.map(({ ended }) => ended)]);
  }
}

/** Minimum duration, so that writers really compete. */
function fought(contenders: readonly Contender[]): boolean {
  const told = contenders.flatMap((one) => one.told);
  const count = (is: (one: Told) => boolean): number => told.filter(is).length;
  const [stale, conflicts] = ['stale', 'conflict'].map((code) => count(({ refused }) => refused === code));
  return count(({ seq }) => seq !== undefined) > 10 && (stale ?? 0) > 0 && (conflicts ?? 0) > 0;
}

const mostMs = 60_000;

/** Repeatedly stops a process beyond its lease and continues it, like a laptop lid. */
async function stopAndGo(contenders: readonly Contender[], leastMs: number): Promise<number> {
  const began = performance.now();
  let stops = 0;
  for (;;) {
    const passed = performance.now() - began;
    if (passed > mostMs || (passed > leastMs && fought(contenders))) break;
    const { child } = contenders[stops % contenders.length] ?? {};
    await pause(30);
    child?.kill('SIGSTOP');
    await pause(150);
    child?.kill('SIGCONT');
    stops += 1;
  }
  return stops;
}

/**
 * Many processes compete for one session. At the end its log must contain each acknowledged record once, in its place.
 */
export async function contest(url: string, processes: number, forMs: number): Promise<Contest> {
  const session = `contested by ${processes}`;
  const driver = await openDriver(url);
  await driver.create(session, { createdAt: at, base: 0 });
  const contenders = Array.from({ length: processes }, () => start([url, session, '60']));
  await allReady(contenders);
  const stops = await stopAndGo(contenders, forMs);
  for (const { child } of contenders) child.stdin?.end();
  await Promise.all(contenders.map(({ ended }) => ended));
  const told = contenders.flatMap((one) => one.told);
  const acknowledged = told.filter(({ seq }) => seq !== undefined);
  const stored: string[] = [];
  for await (const records of driver.read(session, {})) {
    for (const { seq, bytes } of records) {
      if (seq !== stored.length + 1) throw new Error(`record ${seq} where ${stored.length + 1} should be`);
      const id = /"id":"([^"]+)"/.exec(Buffer.from(bytes).toString('utf8', 0, 200))?.[1] ?? '';
      if (!Buffer.from(entryBy(id.split('-')[0] ?? '', seq).bytes).equals(bytes)) throw new Error(`record ${seq}`);
      stored.push(id);
    }
  }
  const seen = new Set<number>();
  for (const { seq = 0, id } of acknowledged) {
    if (seen.has(seq)) throw new Error(`record ${seq} was acknowledged to two writers`);
    seen.add(seq);
    if (stored[seq - 1] !== id)
      throw new Error(`record ${seq} by ${id} was acknowledged, and ${stored[seq - 1]} is there`);
  }
  const epochs = told.flatMap(({ taken }) => taken ?? []);
  if (new Set(epochs).size !== epochs.length) throw new Error('an epoch was given twice');
  const { damages } = await driver.verify(session);
  if (damages.length > 0) throw new Error(JSON.stringify(damages));
  await driver.close();
  const refused = (code: string): number => told.filter((one) => one.refused === code).length;
  const strange = told.filter((one) => one.refused !== undefined && !['stale', 'conflict'].includes(one.refused));
  const others = strange.length;
  if (others > 0) throw new Error(JSON.stringify(strange.slice(0, 3)));
  const unnamed = told.filter((one) => one.refused === 'conflict' && one.owner === null).length;
  return {
    processes,
    acknowledged: acknowledged.length,
    takings: epochs.length,
    stale: refused('stale'),
    conflicts: refused('conflict'),
    unnamed,
    stops,
    others,
  };
}
