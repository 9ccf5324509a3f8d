import { Pool } from 'pg';
import { Column } from '../packages/store/src/drivers/postgres/columns.ts';

type Waiting = {
  readonly session: number;
  readonly seq: number;
  readonly body: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

type Batches = {
  readonly append: (session: number, seq: number, body: Buffer) => Promise<void>;
  readonly close: () => Promise<void>;
};

const text = `insert into plain_batches
  select session, seq, substring($5::bytea from start for length)
  from unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[]) as given (session, seq, start, length)`;

const mostInFlight = 2;

/** The lists of a statement, in the binary form of the server, and all bodies behind one another. */
function valuesOf(given: readonly Waiting[]): Buffer[] {
  const [sessions, seqs] = [new Column('text', given.length), new Column('bigint', given.length)];
  const [starts, lengths] = [new Column('integer', given.length), new Column('integer', given.length)];
  let size = 0;
  for (const { session, seq, body } of given) {
    sessions.text(`${session}`);
    seqs.bigint(seq);
    starts.integer(size + 1);
    lengths.integer(body.length);
    size += body.length;
  }
  const bodies = given.map(({ body }) => body);
  return [...[sessions, seqs, starts, lengths].map(({ written }) => written), Buffer.concat(bodies, size)];
}

/**
 * The least that a batch can be: what waits goes into one plain INSERT, two of them at a time. There is no lease, head,
 * chain or operation, and nobody is told, so that this is what no store on this server and client can be faster than.
 */
export async function batchedInserts(url: string): Promise<Batches> {
  const pool = new Pool({ connectionString: url, max: mostInFlight });
  pool.on('error', () => undefined);
  await pool.query('create table plain_batches (session text, seq bigint, body bytea, primary key (session, seq))');
  let waiting: Waiting[] = [];
  let [inFlight, scheduled] = [0, false];
  const send = async (): Promise<void> => {
    const given = waiting;
    waiting = [];
    inFlight += 1;
    try {
      await pool.query({ name: 'batch', text, values: valuesOf(given) });
      for (const { resolve } of given) resolve();
    } catch (error) {
      for (const { reject } of given) reject(error);
    }
    inFlight -= 1;
    schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (inFlight < mostInFlight && waiting.length > 0) void send();
    });
  };
  return {
    append: (session, seq, body) =>
      new Promise((resolve, reject) => {
        waiting.push({ session, seq, body, resolve, reject });
        schedule();
      }),
    close: () => pool.end(),
  };
}
