import { open } from '@rethread/store';
import { Pool } from 'pg';
import { startServer } from '../packages/store/test/postgres-server.ts';
import { quantile, type Reading } from './measure.ts';
import { bestRates, type Append, type Contest } from './store-records.ts';

type Job = { rounds: number; scale: number };

/** The text makes a record of about 654 bytes, the size that all rates of stores are compared at. */
const content = 'some words of a message that an agent wrote '.repeat(11).slice(0, 470);
const record = { kind: 'message', data: { dialect: 'anthropic-messages', wire: { role: 'user', content } } };

/** Appends to a real server, which this starts itself, beside plain INSERTs of the same bytes. */
export async function measure({ rounds, scale }: Job): Promise<Reading[]> {
  const server = await startServer();
  const pools = [1, 32].map((max) => new Pool({ connectionString: server.url, max }));
  // The server tells the connections that are left that it stops; an insert that fails says so itself.
  for (const pool of pools) pool.on('error', () => undefined);
  const store = await open(server.url);
  try {
    const sessions = await Promise.all(Array.from({ length: 64 }, (_, n) => store.create({ id: `session ${n}` })));
    // The first append takes the lease, which is no part of what is measured.
    await Promise.all(sessions.map((session) => session.append(record)));
    const ours: Append = (session) => sessions[session]?.append(record) ?? Promise.reject(new Error('no session'));
    const inserts = await Promise.all(pools.map(inserting));
    const [insert = ours, insertEach = ours] = inserts;
    const one = (append: Append): Contest => ({ sessions: 1, appends: 300 * scale, append });
    const rates = await bestRates(
      {
        insert: one(insert),
        one: one(ours),
        insertEach: { sessions: 64, appends: 1_280 * scale, append: insertEach },
        many: { sessions: 64, appends: 3_200 * scale, append: ours },
      },
      rounds,
    );
    const on = 'synchronous_commit on';
    const p99 = (name: 'many' | 'insertEach'): number => quantile(rates[name].waits, 0.99);
    return [
      { target: 'insertOne', on, ours: rates.one.perSecond, peer: rates.insert.perSecond },
      { target: 'insertMany', on, ours: rates.many.perSecond, peer: rates.insertEach.perSecond },
      { target: 'insertWait', on, ours: p99('many'), peer: p99('insertEach') },
    ];
  } finally {
    await store.close();
    for (const pool of pools) await pool.end();
    await server.stop();
  }
}

/** An INSERT as most people write it; the server reads and plans it every time. */
async function inserting(pool: Pool, index: number): Promise<Append> {
  const table = `plain_${index}`;
  await pool.query(`create table ${table} (session text, seq bigint, body bytea, primary key (session, seq))`);
  const bytes = (seq: number): Buffer => {
    return Buffer.from(JSON.stringify({ v: 1, seq, at: '2026-01-01T00:00:00.000Z', ...record }).padEnd(654));
  };
  return (session, seq) => pool.query(`insert into ${table} values ($1, $2, $3)`, [`${session}`, seq, bytes(seq)]);
}
