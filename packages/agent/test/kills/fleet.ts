import { open } from '@rethread/store';

import { seedAt, startRandom, type Random } from '../../../core/test/fuzz/random.ts';
import { audit, count, type Tally } from './audit.ts';
import { openWorld, outlive, type Watched, type World } from './kill-often.ts';
import type { Job } from './worker.ts';

export type Fleet = Watched & {
  readonly workers: number;
  readonly sessions: number;
  readonly kills: number;
  readonly seed: number;
};

const MOST_SIGNS = 1_000;
const LEASE_MS = 2_000;
const WIDTH = 4;

type Berth = {
  readonly url: string;
  readonly sessions: readonly string[];
  readonly random: Random;
  /** Whether it appears to be on another machine, so that it waits for leases to expire. */
  readonly far: boolean;
  readonly stock: { left: number };
};

const rotated = <T>(list: readonly T[], by: number): readonly T[] => [...list.slice(by), ...list.slice(0, by)];

/** Replaces each killed worker until one finds nothing left to do. */
async function manBerth({ simulator, ledger, workshop, tally }: World, berth: Berth): Promise<void> {
  const { url, sessions, random, far, stock } = berth;
  for (let killed = true; killed;) {
    const job: Job = {
      store: url,
      urls: simulator.baseUrls,
      ledger: ledger.url,
      port: 'anthropic',
      sessions: rotated(sessions, random.below(sessions.length)),
      width: WIDTH,
      showEveryMs: random.pick([0, 5, 100]),
      contested: true,
      leaseMs: LEASE_MS,
      far,
    };
    const moment = { signs: 1 + random.below(MOST_SIGNS), ms: random.next() * 8 };
    const isTarget = stock.left > 0;
    if (isTarget) stock.left -= 1;
    killed = await outlive(workshop.start(job), isTarget ? moment : undefined);
    if (killed) count(tally, 'kills');
    else if (isTarget) stock.left += 1;
  }
}

/** Workers on one place finish sessions without knowing each other, while some are killed. */
export async function finishTogether(url: string, fleet: Fleet): Promise<Tally> {
  const { workers, sessions, kills, seed, ...watched } = fleet;
  await using world = await openWorld(seed, watched);
  const ids = Array.from({ length: sessions }, (_, index) => `shared-${seed}-${index}`);
  const store = await open(url);
  for (const id of ids) await store.create({ id });
  const stock = { left: kills };
  const berths = Array.from({ length: workers }, (_, index) => {
    const random = startRandom(seedAt(seed, index));
    const berth = { url, sessions: ids, random, far: index % 2 === 1, stock };
    return manBerth(world, berth).catch((error: unknown) => {
      stock.left = 0;
      throw error;
    });
  });
  try {
    for (const end of await Promise.allSettled(berths)) if (end.status === 'rejected') throw end.reason;
    for (const id of ids) await audit(await store.session(id), world.ledger, world.tally);
  } finally {
    await store.close();
  }
  return world.tally;
}
