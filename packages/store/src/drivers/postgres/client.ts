import { Socket } from 'node:net';
import type { Client, Notification, QueryResult } from 'pg';

import type { Durability } from '../../driver.ts';
import type { Environment } from '../../environment.ts';
import { StoreError } from '../../store-error.ts';

export type Statement = {
  readonly text: string;
  /** Named statements are prepared once per connection. */
  readonly name?: string;
  readonly values?: readonly unknown[];
};
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** A connection whose settings were checked. */
export type Connection = {
  readonly run: (statement: Statement) => Promise<Rows>;
  /** Returns the number of changed rows. */
  readonly change: (statement: Statement) => Promise<number>;
  readonly broken: () => boolean;
  readonly onNotice: (listener: (channel: string) => void) => void;
  readonly onEnd: (listener: () => void) => void;
  /** Idle connections do not keep the process alive. */
  readonly hold: (held: boolean) => void;
  readonly end: () => void;
};

export type Connecting = {
  readonly connection: string;
  readonly url: string;
  readonly durability: Durability;
  readonly environment: Environment;
};

const connectMs = 10_000;
const statementMs = 60_000;

async function loadPg(): Promise<Pick<typeof import('pg'), 'Client'>> {
  try {
    const { default: pg } = await import('pg');
    return pg;
  } catch (cause) {
    const sentence = 'a postgres: store needs the package pg, which is not installed: npm install pg';
    throw new StoreError('unsupported', sentence, { cause });
  }
}

/** Fixes settings that a server, role or database may override, and reads those that cannot be fixed. */
const greeting = `select
  set_config('search_path', 'pg_catalog', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('default_transaction_read_only', 'off', false),
  set_config('bytea_output', 'hex', false),
  set_config('client_min_messages', 'warning', false),
  set_config('lock_timeout', '15s', false),
  set_config('plan_cache_mode', 'force_generic_plan', false),
  current_setting('synchronous_commit') as "commit",
  current_setting('fsync') as "fsync",
  current_setting('full_page_writes') as "pages",
  current_setting('server_encoding') as "encoding"`;

const unsafeSettings: Readonly<Record<string, string>> = {
  commit: 'synchronous_commit is off, so an acknowledged record may be lost',
  fsync: 'fsync is off, so a power failure may destroy everything',
  pages: 'full_page_writes is off, so a power failure may tear pages',
};

/** `strict` refuses unsafe settings by name; other levels send a notice. */
function judge(row: Readonly<Record<string, unknown>>, { url, durability, environment }: Connecting): void {
  if (row['encoding'] !== 'UTF8')
    throw new StoreError('unsafe', `${url}: the database encoding is ${String(row['encoding'])}; use UTF8`);
  for (const [setting, words] of Object.entries(unsafeSettings)) {
    if (row[setting] !== 'off' || (setting === 'commit' && durability !== 'strict')) continue;
    if (durability === 'strict')
      throw new StoreError('unsafe', `${url}: ${words}; change the setting or choose a weaker durability`);
    environment.tell({ kind: 'unsafe-setting', sentence: `${url}: ${words}` });
  }
}

/** Fixed per connection, so that a server reload cannot weaken it later. */
const commitLevel = (seen: unknown, durability: Durability): string => (durability === 'strict' ? String(seen) : 'off');

async function greet(client: Client, connecting: Connecting): Promise<void> {
  const [row = {}] = (await client.query(greeting)).rows as Readonly<Record<string, unknown>>[];
  judge(row, connecting);
  const level = commitLevel(row['commit'], connecting.durability);
  await client.query(`select pg_catalog.set_config('synchronous_commit', $1, false)`, [level]);
}

type Watch = <T>(patienceMs: number, work: () => Promise<T>) => Promise<T>;

/** Calls `expire` when work takes too long. One timer serves all work of a connection. */
function createWatch(environment: Environment, expire: () => void): Watch {
  let [working, until, armed] = [0, 0, false];
  const arm = (ms: number): void => {
    armed = true;
    environment.after(ms, () => {
      armed = false;
      if (working === 0) return;
      const left = until - environment.elapsed();
      if (left > 0) arm(left);
      else expire();
    });
  };
  return async (patienceMs, work) => {
    working += 1;
    until = environment.elapsed() + patienceMs;
    if (!armed) arm(patienceMs);
    try {
      return await work();
    } finally {
      working -= 1;
    }
  };
}

/** Opens a connection and checks its settings. */
export async function connect(connecting: Connecting): Promise<Connection> {
  const pg = await loadPg();
  const { connection: connectionString, environment } = connecting;
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    stream: () => socket,
    keepAlive: true,
    application_name: 'rethread',
  });
  let broken = false;
  const enders: (() => void)[] = [];
  const end = (): void => {
    broken = true;
    for (const ender of enders.splice(0)) ender();
  };
  client.on('error', end);
  client.on('end', end);
  // Destroying the socket makes the client reject whatever it waits for.
  const watch = createWatch(environment, () => {
    end();
    socket.destroy(new Error(`no answer within ${statementMs} ms`));
  });
  try {
    await watch(connectMs, async () => {
      await client.connect();
      await greet(client, connecting);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  const ask = ({ text, name, values }: Statement): Promise<QueryResult> =>
    watch(statementMs, () =>
      client.query({ text, ...(name === undefined ? {} : { name }), values: [...(values ?? [])] }),
    );
  return {
    run: async (statement) => (await ask(statement)).rows as Rows,
    change: async (statement) => (await ask(statement)).rowCount ?? 0,
    broken: () => broken,
    onNotice: (listener) => void client.on('notification', ({ channel }: Notification) => listener(channel)),
    onEnd: (listener) => void (broken ? listener() : enders.push(listener)),
    hold: (held) => void (held ? socket.ref() : socket.unref()),
    end: () => {
      end();
      // Sends the goodbye if possible, without waiting for a response.
      client.end().catch(() => undefined);
      environment.after(1_000, () => socket.destroy());
    },
  };
}
