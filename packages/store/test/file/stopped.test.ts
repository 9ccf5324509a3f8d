import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { nameOf } from '../../src/drivers/file/layout.ts';
import type { Driver, Environment } from '../../src/index.ts';
import type { Order, Outcome, Stopped, Work } from './stopped/process.ts';
import { codeOf, create, id, openAs, readIds, take, write } from './stopped/world.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-stopped-'));
const gate = new SharedArrayBuffer(4);
const passed = new Int32Array(gate);
const worker = new Worker(new URL('./stopped/process.ts', import.meta.url), { workerData: { gate } });
const before = join(around, 'before');

beforeAll(async () => {
  const driver = await openAs(before, 'first');
  await create(driver);
  const lease = await take(driver, 'first');
  await write(driver, lease, 3);
  await driver.release(lease);
  await driver.close();
});

afterAll(async () => {
  await worker.terminate();
  rmSync(around, { recursive: true });
});

/** What another process does after the stopped one continues, and its complaints. */
type GoingOn = { readonly driver: Driver; readonly goOn: () => Promise<string[]> };

/** Its waits are short, and it starts after every lease of the stopped process has expired. */
const late = (laterMs: number): Partial<Environment> => ({
  now: () => Date.now() + laterMs,
  elapsed: () => performance.now() * 50,
});

async function eraseAt(place: string, laterMs: number): Promise<void> {
  const eraser = await openAs(place, 'eraser', late(laterMs));
  await eraser.erase(await take(eraser, 'eraser'));
  await eraser.close();
}

async function holdAt(place: string, name: string, driver: Driver): Promise<GoingOn> {
  const lease = await take(driver, name);
  const head = await write(driver, lease, 2);
  const goOn = async (): Promise<string[]> => {
    const third = await openAs(place, 'third', { now: () => lease.expires - 30_000 });
    const taken = await take(third, 'third').then(() => 'taken', codeOf);
    await third.close();
    const written = await write(driver, { ...lease, head }, 2).then(() => 'written', codeOf);
    return [...(taken === 'conflict' ? [] : [`a third is told ${taken}`]), ...(written === 'written' ? [] : [written])];
  };
  return { driver, goOn };
}

/** What others do while a process is stopped. */
const deeds = {
  'takes the session over': async (place, laterMs) =>
    holdAt(place, 'other', await openAs(place, 'other', late(laterMs))),
  'erases it': eraseAt,
  'erases it and creates another': async (place, laterMs) => {
    await eraseAt(place, laterMs);
    const driver = await openAs(place, 'new');
    await create(driver);
    return holdAt(place, 'new', driver);
  },
  'mends it': async (place, laterMs) => {
    const driver = await openAs(place, 'other', late(laterMs));
    const lease = await take(driver, 'other');
    await driver.mend?.(lease, 'prefix');
    await write(driver, lease, 4);
    await driver.release(lease);
    await driver.close();
  },
  'opens the directory': async (place) => (await openAs(place, 'other')).close(),
} satisfies Readonly<Record<string, (place: string, laterMs: number) => Promise<GoingOn | void>>>;

type Deed = keyof typeof deeds;

type Ending = Outcome & {
  /** What went wrong for others. */
  readonly complaints: readonly string[];
  /** The writers of the session's records and their counts; undefined without a session. */
  readonly counts: Readonly<Record<string, number>> | undefined;
};

/** Stops a process at one call, lets others act, and continues it. */
async function run(work: Work, deed: Deed, call: number): Promise<Ending> {
  const place = join(around, 'place');
  cpSync(before, place, { recursive: true });
  const complaints: string[] = [];
  let going: GoingOn | undefined;
  const outcome = await new Promise<Outcome>((resolve) => {
    worker.removeAllListeners('message');
    worker.on('message', (message: Stopped | Outcome) => {
      if (!message.stopped) return resolve(message);
      // Mending takes a lease of ten minutes.
      void deeds[deed](place, work === 'mend' ? 1_200_000 : 2)
        .then((one) => void (going = one ?? undefined))
        .catch((error: unknown) => void complaints.push(`others are told ${codeOf(error)}`))
        .finally(() => {
          Atomics.store(passed, 0, 1);
          Atomics.notify(passed, 0);
        });
    });
    worker.postMessage({ place, work, call } satisfies Order, []);
  });
  complaints.push(...((await going?.goOn()) ?? []));
  await going?.driver.close();
  complaints.push(...leftIn(place), ...(await wrongIn(place)));
  const counts = await countsIn(place);
  rmSync(place, { recursive: true });
  return { ...outcome, complaints, counts };
}

/** Files in a directory that nobody needs any more. */
function leftIn(place: string): string[] {
  const folder = join(place, 'sessions', nameOf(id));
  const inside = existsSync(folder) ? readdirSync(folder) : [];
  return [...readdirSync(join(place, 'sessions')), ...inside].filter((name) => /^\.|\.tmp$/.test(name));
}

async function wrongIn(place: string): Promise<string[]> {
  const driver = await openAs(place, 'after');
  const damages = await driver.verify(id).then(
    (verdict) => verdict.damages.map(({ sentence }) => sentence),
    (error: unknown) => (codeOf(error) === 'missing' ? [] : [codeOf(error)]),
  );
  for await (const { damaged } of driver.list({})) if (damaged !== undefined) damages.push(damaged);
  await driver.close();
  return damages;
}

async function countsIn(place: string): Promise<Record<string, number> | undefined> {
  const driver = await openAs(place, 'after');
  try {
    const names = (await readIds(driver)).map((each) => each.replace(/-\d+$/, ''));
    return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]));
  } catch (error) {
    if (codeOf(error) === 'missing') return undefined;
    throw error;
  } finally {
    await driver.close();
  }
}

/** The endings of a process that is stopped at each of its calls. */
async function atEachCall(work: Work, deed: Deed): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (let call = 1; ; call += 1) {
    const ending = await run(work, deed, call);
    if (ending.calls < call) return endings;
    endings.push(ending);
  }
}

const readers = ['read', 'read backward', 'verify', 'list', 'info', 'head', 'search'] as const;
const owners = ['read its own', 'read its own backward', 'verify its own'] as const;
const writers = ['take', 'append', 'renew', 'renew and append', 'release', 'close', 'erase'] as const;
const erasing = ['erases it', 'erases it and creates another'] as const;

const cases: (readonly [Work, Deed])[] = [
  ...readers.flatMap((work) => erasing.map((deed) => [work, deed] as const)),
  ...owners.flatMap((work) => [...erasing, 'mends it' as const].map((deed) => [work, deed] as const)),
  ...writers.flatMap((work) => [...erasing, 'takes the session over' as const].map((deed) => [work, deed] as const)),
  ...(['renew', 'release', 'erase'] as const).map((work) => [work, 'mends it'] as const),
  ['mend', 'takes the session over'],
  ['mend', 'erases it and creates another'],
  ['erase', 'opens the directory'],
  ['fork', 'erases it'],
];

const allowed = new Set(['done', 'wrote', 'missing', 'stale', 'conflict']);

/** Others see the right error if the session is erased or forked meanwhile. */
const isFair = (work: Work, complaint: string): boolean =>
  (work === 'erase' && complaint === 'others are told missing') ||
  (work === 'fork' && complaint === 'others are told conflict');

test.each(cases)('a process is stopped during this: %s, and another %s', async (work, deed) => {
  const endings = await atEachCall(work, deed);
  expect(endings.length).toBeGreaterThan(0);
  endings.forEach(({ outcome, told, complaints, counts }, index) => {
    const where = `stopped at call ${index + 1} of ${endings.length}`;
    expect([where, outcome]).toEqual([where, allowed.has(outcome) ? outcome : 'done, or refused by name']);
    // A process that has lost its lease must not be told that it rewrote it.
    if (work === 'renew') expect([where, outcome]).toEqual([where, outcome === 'missing' ? 'missing' : 'stale']);
    expect([where, told.filter((kind) => kind !== 'mended')]).toEqual([where, []]);
    expect([where, complaints.filter((complaint) => !isFair(work, complaint))]).toEqual([where, []]);
    // No acknowledged record may be lost, and no record of an erased session may appear in another.
    if (counts?.['new'] !== undefined) expect([where, counts]).toEqual([where, { new: 4 }]);
    else if (counts?.['other'] !== undefined || deed === 'takes the session over' || deed === 'mends it') {
      if (work !== 'erase' || outcome !== 'done') expect([where, counts?.['other']]).toEqual([where, 4]);
    }
    if (counts !== undefined && outcome === 'wrote' && counts['new'] === undefined) {
      expect([where, counts['stopped']]).toEqual([where, work === 'take' ? 1 : 3]);
    }
  });
});
