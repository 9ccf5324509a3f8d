import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session, Store } from '@rethread/store';
import { Pool } from 'pg';
import { startServer } from '../packages/store/test/postgres-server.ts';
import { batchedInserts } from './store-batches.ts';
import { plus, spendOn, type Spent } from './store-processor.ts';
import type { Row } from './verdicts.ts';

/** One way to append, timed over all its rounds: the best rate, and the waits of the round that had it. */
export type Rate = { perSecond: number; p50Ms: number; p99Ms: number };
export type SqlTimings = Record<Contestant, Rate> & {
  recordBytes: number;
  /** Processor time of an append over all rounds, in milliseconds, where the system tells it. */
  spent: Partial<Record<Contestant, Spent>>;
};

const contestants = [
  'raw fdatasync',
  'PostgreSQL, plain INSERT, 1 client',
  'PostgreSQL, ours, 1 session',
  'PostgreSQL, INSERT each, 64 sessions',
  'PostgreSQL, ours, 64 sessions',
  'SQLite, ours, 1 session',
  'SQLite, ours, 64 sessions',
  'SQLite, ours, 256 sessions',
  'PostgreSQL, bare batches, 64 sessions',
  'PostgreSQL, prepared INSERT, 1 client',
  'PostgreSQL, prepared INSERT each, 64 sessions',
] as const;

type Contestant = (typeof contestants)[number];
type Append = (session: number, round: number) => Promise<unknown>;
type Contest = { readonly sessions: number; readonly appends: number; readonly append: Append };

/** The text makes a record of about 654 bytes, the size that all rates of stores are compared at. */
const text = (n: number): string => `${n} ${'some words of a message that an agent wrote '.repeat(12)}`.slice(0, 480);
const recordOf = (n: number) => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role: 'user', content: text(n) } },
});
const plainBytes = (n: number): Buffer =>
  Buffer.from(
    JSON.stringify({ v: 1, seq: n, id: 'x'.repeat(25), at: '2026-01-01T00:00:00.000Z', ...recordOf(n) }).padEnd(654),
  );

/** Every session waits for its own acknowledgement before it appends again. */
async function time({ sessions, appends, append }: Contest, round: number): Promise<Rate> {
  const waits: number[] = [];
  const each = Math.ceil(appends / sessions);
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let count = 0; count < each; count += 1) {
        const asked = performance.now();
        await append(session, round * each + count);
        waits.push(performance.now() - asked);
      }
    }),
  );
  const perSecond = (waits.length / (performance.now() - begin)) * 1_000;
  waits.sort((left, right) => left - right);
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN;
  return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
}

type Closing = { close: () => Promise<void> };

async function sessionsOf(store: Store, count: number, name: string): Promise<Session[]> {
  const made = await Promise.all(Array.from({ length: count }, (_, n) => store.create({ id: `${name} ${n}` })));
  // The first append takes the lease, which is no part of what is measured.
  await Promise.all(made.map((session) => session.append(recordOf(0))));
  return made;
}

const ours = (sessions: readonly Session[], appends: number): Contest => ({
  sessions: sessions.length,
  appends,
  append: (session, n) => sessions[session]?.append(recordOf(n)) ?? Promise.reject(new Error('no session')),
});

/** Plain is what most people write; a statement with a name is read and planned once for each connection. */
async function inserts(url: string, clients: number, how: 'plain' | 'prepared'): Promise<Append & Closing> {
  const pool = new Pool({ connectionString: url, max: clients });
  // The end of a pool does not wait for its connections, and the server tells those that are left that it stops. What
  // goes wrong with an insert is told to whoever waits for it.
  pool.on('error', () => undefined);
  const table = `${how}_${clients}`;
  await pool.query(`create table ${table} (session text, seq bigint, body bytea, primary key (session, seq))`);
  const insert: Append = (session, n) =>
    pool.query({
      ...(how === 'prepared' ? { name: table } : {}),
      text: `insert into ${table} values ($1, $2, $3)`,
      values: [`${session}`, n, plainBytes(n)],
    });
  return Object.assign(insert, { close: () => pool.end() });
}

function rawFile(folder: string): Append & Closing {
  const file = openSync(join(folder, 'raw'), 'w', 0o600);
  const append: Append = async (_, n) => {
    writeSync(file, plainBytes(n));
    fdatasyncSync(file);
  };
  return Object.assign(append, { close: async () => closeSync(file) });
}

type Setting = { readonly postgres: string; readonly folder: string; readonly scale: number };

/** Whatever is opened is put among the closings at once, so that it is closed whatever happens. */
async function contests({ postgres, folder, scale }: Setting, closings: Closing[]): Promise<Map<string, Contest>> {
  const { open } = await import('@rethread/store');
  const closed = <T extends Closing>(opened: T): T => {
    closings.push(opened);
    return opened;
  };
  const [database, file] = [closed(await open(postgres)), closed(await open(`sqlite:${join(folder, 'sessions.db')}`))];
  const raw = closed(rawFile(folder));
  const inserting = async (clients: number, how: 'plain' | 'prepared'): Promise<Append> =>
    closed(await inserts(postgres, clients, how));
  const bare = closed(await batchedInserts(postgres));
  const all: Record<Contestant, Contest> = {
    'raw fdatasync': { sessions: 1, appends: 400 * scale, append: raw },
    'PostgreSQL, plain INSERT, 1 client': { sessions: 1, appends: 300 * scale, append: await inserting(1, 'plain') },
    'PostgreSQL, prepared INSERT, 1 client': {
      sessions: 1,
      appends: 300 * scale,
      append: await inserting(1, 'prepared'),
    },
    'PostgreSQL, ours, 1 session': ours(await sessionsOf(database, 1, 'one'), 300 * scale),
    'PostgreSQL, INSERT each, 64 sessions': {
      sessions: 64,
      appends: 1_280 * scale,
      append: await inserting(32, 'plain'),
    },
    'PostgreSQL, prepared INSERT each, 64 sessions': {
      sessions: 64,
      appends: 1_280 * scale,
      append: await inserting(32, 'prepared'),
    },
    'PostgreSQL, ours, 64 sessions': ours(await sessionsOf(database, 64, 'many'), 3_200 * scale),
    'PostgreSQL, bare batches, 64 sessions': {
      sessions: 64,
      appends: 3_200 * scale,
      append: (session, n) => bare.append(session, n, plainBytes(n)),
    },
    'SQLite, ours, 1 session': ours(await sessionsOf(file, 1, 'one'), 300 * scale),
    'SQLite, ours, 64 sessions': ours(await sessionsOf(file, 64, 'many'), 3_200 * scale),
    'SQLite, ours, 256 sessions': ours(await sessionsOf(file, 256, 'more'), 5_120 * scale),
  };
  return new Map(Object.entries(all));
}

const better = (before: Rate | undefined, now: Rate): Rate =>
  before === undefined || now.perSecond > before.perSecond ? now : before;

/** Appends of equal records, the ways in turn, round after round, beside a real server that this starts itself. */
export async function measureSql({ quick }: { quick: boolean }, progress: (what: string) => void): Promise<SqlTimings> {
  progress('PostgreSQL and SQLite');
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'rethread-bench-'));
  const closings: Closing[] = [];
  try {
    const all = await contests({ postgres: server.url, folder, scale: quick ? 1 : 3 }, closings);
    const rates = new Map<string, Rate>();
    const spent = new Map<string, Spent>();
    const rounds = quick ? 4 : 8;
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, contest] of all) {
        const timed = await spendOn(server.url, () => time(contest, round));
        rates.set(name, better(rates.get(name), timed.result));
        spent.set(name, plus(spent.get(name), timed.spent));
      }
    }
    const each = [...all].map(([name, { appends, sessions }]) => {
      const count = Math.ceil(appends / sessions) * sessions * rounds;
      const { client, server: ofServer } = spent.get(name) ?? { client: 0, server: 0 };
      return [name, { client: client / count, server: ofServer / count }];
    });
    return {
      ...(Object.fromEntries(rates) as Record<Contestant, Rate>),
      recordBytes: plainBytes(1).length,
      spent: Object.fromEntries(each) as Partial<Record<Contestant, Spent>>,
    };
  } finally {
    for (const one of closings) await one.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type SqlTarget = 'T11' | 'SQLite';

type Bar = {
  readonly what: string;
  readonly over: Contestant;
  readonly under: Contestant;
  readonly bar?: number;
};

const bars: Readonly<Record<SqlTarget, readonly Bar[]>> = {
  T11: [
    { what: 'one session over plain INSERT', over: contestants[2], under: contestants[1], bar: 0.9 },
    { what: '64 sessions over INSERT each', over: contestants[4], under: contestants[3], bar: 5 },
    { what: '64 sessions over raw fdatasync', over: contestants[4], under: contestants[0], bar: 6 },
    { what: 'one session over a prepared INSERT', over: contestants[2], under: contestants[9] },
    { what: '64 sessions over a prepared INSERT each', over: contestants[4], under: contestants[10] },
    { what: 'bare batches over INSERT each', over: contestants[8], under: contestants[3] },
    { what: '64 sessions over bare batches', over: contestants[4], under: contestants[8] },
  ],
  SQLite: [
    { what: 'one session over raw fdatasync', over: contestants[5], under: contestants[0] },
    { what: '64 sessions over raw fdatasync', over: contestants[6], under: contestants[0] },
    { what: '256 sessions over raw fdatasync', over: contestants[7], under: contestants[0] },
  ],
};

const mostP99Ms = 10;

/** Holds the ratios of one run against their bars, and shows the rates that they were made of. */
export function judgeSql(measured: SqlTimings): Row[] {
  const on = `${measured.recordBytes} B records, strict`;
  const ratios = (Object.keys(bars) as SqlTarget[]).flatMap((id) =>
    bars[id].map(({ what, over, under, bar }): Row => {
      const value = measured[over].perSecond / measured[under].perSecond;
      const row = { id, what, on, value, unit: 'quotient' as const };
      if (bar === undefined) return { ...row, verdict: 'shown' };
      return { ...row, bar, sense: 'at least', verdict: value >= bar ? 'pass' : 'miss' };
    }),
  );
  const p99 = measured['PostgreSQL, ours, 64 sessions'].p99Ms;
  const wait = { id: 'T11', what: '64 sessions, p99', on, value: p99, unit: 'ms', bar: mostP99Ms } as const;
  const shown = contestants.map((name): Row => {
    const id = name.startsWith('SQLite') ? 'SQLite' : 'T11';
    return { id, what: `${name}, a second`, on, value: measured[name].perSecond, unit: '', verdict: 'shown' };
  });
  return [...ratios, { ...wait, verdict: p99 <= mostP99Ms ? 'pass' : 'miss' }, ...shown, ...showSpent(measured, on)];
}

/** On a machine that others use too, processor time tells more than rates do. */
function showSpent({ spent }: SqlTimings, on: string): Row[] {
  const crowd = [contestants[3], contestants[4], contestants[8]] as const;
  const [each, ours] = crowd.map((name) => spent[name]);
  if (each === undefined || ours === undefined || each.server === 0 || ours.server === 0) return [];
  const shown = { id: 'T11', on, verdict: 'shown' } as const;
  const rows = crowd.flatMap((name): Row[] => [
    { ...shown, what: `${name}, processor of client`, value: (spent[name]?.client ?? 0) * 1_000, unit: 'µs' },
    { ...shown, what: `${name}, processor of server`, value: (spent[name]?.server ?? 0) * 1_000, unit: 'µs' },
  ]);
  const value = (each.client + each.server) / (ours.client + ours.server);
  return [{ ...shown, what: '64 sessions, processor of INSERT each over ours', value, unit: 'quotient' }, ...rows];
}
