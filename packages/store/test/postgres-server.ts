import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

import { Client } from 'pg';

export { type Server, startServer } from './postgres/server.ts';

type Notice = { readonly keeper: number; readonly url?: string; readonly error?: string };

/** The process whose end is the end of the run: vitest runs test files in its children. */
const runner = process.env['VITEST'] !== undefined && isMainThread ? process.ppid : process.pid;
const room = join(tmpdir(), `rethread-postgres-run-${process.getuid?.() ?? 0}-${runner}`);

const readNotice = (): Notice | undefined => {
  try {
    return JSON.parse(readFileSync(join(room, 'notice.json'), 'utf8')) as Notice;
  } catch {
    return undefined;
  }
};

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process that creates the directory starts the keeper; all others wait for its notice. */
const takeRoom = (): boolean => {
  try {
    mkdirSync(room, { mode: 0o700 });
    return true;
  } catch {
    const { uid } = lstatSync(room);
    if (process.getuid !== undefined && uid !== process.getuid()) throw new Error(`${room} belongs to somebody else.`);
    return false;
  }
};

const startKeeper = (): void => {
  const keeper = fileURLToPath(new URL('postgres/keeper.ts', import.meta.url));
  const child = spawn(process.execPath, [keeper, room, String(runner)], { detached: true, stdio: 'ignore' });
  child.unref();
};

const waitMs = 60_000;

const joinServer = async (): Promise<string> => {
  const left = readNotice();
  if (left !== undefined && !alive(left.keeper)) rmSync(room, { recursive: true, force: true });
  if (takeRoom()) startKeeper();
  for (const since = performance.now(); performance.now() - since < waitMs;) {
    const notice = readNotice();
    if (notice?.url !== undefined) return notice.url;
    if (notice?.error !== undefined) throw new Error(`There is no PostgreSQL server to test with. ${notice.error}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The PostgreSQL server for the tests did not start within ${waitMs} ms.`);
};

let joined: Promise<string> | undefined;

/** The address of the server shared by all test files of this run; the first to ask starts it. */
export const sharedServer = (): Promise<string> => (joined ??= joinServer());

/** Runs one statement on its own connection, behind the driver's back. */
export const query = async (url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
};

/** A new, empty database on the shared server, or on the given one. */
export const freshDatabase = async (server?: string): Promise<string> => {
  const base = server ?? (await sharedServer());
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(base, `create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
};
