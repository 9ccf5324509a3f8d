import type { Driver } from '../../src/driver.ts';
import { createEnvironment } from '../../src/environment.ts';
import { openPostgres } from '../../src/drivers/postgres.ts';
import { anomalies } from '../history-checker.ts';
import { type Server, freshDatabase } from '../postgres-server.ts';
import { type Decision, type Passing, type Proxy, startProxy } from './proxy.ts';
import { runWork } from './workload.ts';

export type Siege = {
  readonly server: Server;
  readonly records: number;
  readonly sessions: number;
  readonly workers: number;
  readonly seed: number;
  /** How often the server is stopped, alternating between crash and immediate shutdown. */
  readonly kills: number;
  /** The maximum number of messages of one kind per connection. */
  readonly life: number;
  readonly tell?: (words: string) => void;
};

export type Outcome = {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly reads: number;
  readonly connections: number;
  /** The number of cuts, by message kind and place. */
  readonly cuts: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly anomalies: readonly string[];
  readonly damages: number;
};

const places = ['before', 'inside', 'after'] as const;

/** Messages that occur only at the start or rarely, with the maximum number to wait for. */
const few: Readonly<Record<string, number>> = {
  'client startup': 1,
  'client p': 2,
  'client Q': 1,
  'client P': 4,
  'server R': 4,
  'server S': 12,
  'server K': 1,
  'server 1': 4,
  'server n': 4,
};
const always = [
  'client B',
  'client D',
  'client E',
  'client S',
  'server 2',
  'server T',
  'server D',
  'server C',
  'server Z',
];
const messages: readonly string[] = [...Object.keys(few), ...always];

/** Every message between client and server, before, inside and after it. */
export const steps: readonly string[] = messages.flatMap((message) => places.map((place) => `${place} ${message}`));

/** Cuts each connection at the next step, at its first such message or a later one. */
function createPlan(life: number): (message: Passing) => Decision {
  const seen = new Map<number, number>();
  return ({ connection, from, type }) => {
    const message = messages[connection % messages.length] ?? '';
    if (message !== `${from} ${type}`) return 'pass';
    const round = Math.floor(connection / messages.length);
    const count = (seen.get(connection) ?? 0) + 1;
    seen.set(connection, count);
    const due = 1 + ((round * 37 + connection * 11) % (few[message] ?? life));
    return count === due ? (places[round % places.length] ?? 'pass') : 'pass';
  };
}

/** Stops the server after the next share of the work and restarts it at once. */
async function killNowAndThen({ server, kills, tell }: Siege, share: () => number): Promise<number> {
  let done = 0;
  while (done < kills && share() < 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (share() < (done + 1) / (kills + 1)) continue;
    const signal = done % 2 === 0 ? 'SIGKILL' : 'SIGQUIT';
    await server.kill(signal);
    await server.start();
    done += 1;
    tell?.(`${signal} ${done} of ${kills}`);
  }
  return done;
}

const through = (url: string, port: number): string => {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
};

async function damagesIn(driver: Driver, sessions: Iterable<string>): Promise<number> {
  let found = 0;
  for (const session of sessions) found += (await driver.verify(session)).damages.length;
  return found;
}

type Attack = { readonly siege: Siege; readonly direct: string; readonly proxy: Proxy };

async function underAttack({ siege, direct, proxy }: Attack): Promise<Outcome> {
  const options = { environment: createEnvironment(), durability: 'strict' } as const;
  // The schema is created undisturbed; the attack is on everyday work.
  const judge = await openPostgres(direct, options);
  const drivers: Driver[] = [];
  let share = 0;
  try {
    for (let worker = 0; worker < siege.workers; worker += 1)
      drivers.push(await openPostgres(through(direct, proxy.port), options));
    const killing = killNowAndThen(siege, () => share);
    const notes = await runWork({ ...siege, drivers, judge, progress: (done) => void (share = done) });
    const count = (outcome: string): number => notes.writes.filter((write) => write.outcome === outcome).length;
    return {
      acknowledged: notes.writes.reduce(
        (sum, { outcome, records }) => sum + (outcome === 'acknowledged' ? records.length : 0),
        0,
      ),
      refused: count('refused'),
      unknown: count('unknown'),
      reads: notes.reads.length,
      connections: proxy.connections(),
      cuts: proxy.cuts,
      kills: await killing,
      anomalies: anomalies(notes),
      damages: await damagesIn(judge, notes.final.keys()),
    };
  } finally {
    await Promise.all([judge, ...drivers].map((driver) => driver.close()));
  }
}

/** Writes while connections are cut at every step and the server is repeatedly killed; then compares everything. */
export async function laySiege(siege: Siege): Promise<Outcome> {
  const direct = await freshDatabase(siege.server.url);
  const proxy = await startProxy(siege.server.port, createPlan(siege.life));
  try {
    return await underAttack({ siege, direct, proxy });
  } finally {
    await proxy.close();
  }
}
