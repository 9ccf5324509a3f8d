import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Binaries, findBinaries } from './binaries.ts';

/** A private server that can be killed and restarted on the same data. */
export type Server = {
  readonly url: string;
  readonly port: number;
  /** SIGKILL is a crash; SIGQUIT stops it at once without a checkpoint. */
  readonly kill: (signal: 'SIGKILL' | 'SIGQUIT') => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Settings = Readonly<Record<string, string>>;
type Cluster = { binaries: Binaries; scratch: string; data: string; port: number; settings: Settings };

const identity = ({ user }: Binaries) => user ?? {};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
};

/** Fixes locale and message language, so that server texts do not depend on the machine. */
const environment = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C', TZ: 'UTC' };

const run = async (program: string, args: readonly string[], options: object): Promise<void> => {
  const child = spawn(program, args, { ...options, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk));
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
};

const initialise = async ({ binaries, scratch, data }: Cluster, password: string): Promise<void> => {
  const secret = join(scratch, 'password');
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  mkdirSync(data, { mode: 0o700 });
  for (const path of [scratch, secret, data]) if (binaries.user) chownSync(path, binaries.user.uid, binaries.user.gid);
  const identified = ['--username=rethread', `--pwfile=${secret}`, '--auth=scram-sha-256'];
  const shape = ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  await run(join(binaries.folder, 'initdb'), ['-D', data, ...identified, ...shape], {
    cwd: scratch,
    ...identity(binaries),
  });
  rmSync(secret);
};

const ready = /database system is ready to accept connections/;

const launch = async ({ binaries, scratch, data, port, settings }: Cluster): Promise<ChildProcess> => {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = join(binaries.folder, 'postgres');
  const child = spawn(program, ['-D', data, '-p', String(port), ...flags], {
    cwd: scratch,
    ...identity(binaries),
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      if (ready.test(said)) resolve();
    });
  });
  return child;
};

const gone = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill(signal);
  await end;
};

/** A fast shutdown, then a hard one if that takes too long. */
const shutDown = async (child: ChildProcess): Promise<void> => {
  const hard = setTimeout(() => void child.kill('SIGQUIT'), 5_000);
  await gone(child, 'SIGINT');
  clearTimeout(hard);
};

const makeCluster = (settings: Settings, port: number): Cluster => {
  const scratch = mkdtempSync(join(tmpdir(), 'rethread-postgres-'));
  chmodSync(scratch, 0o711);
  return { binaries: findBinaries(scratch), scratch, data: join(scratch, 'data'), port, settings };
};

/** After SIGKILL, old backends may hold the data for a moment, so a new server may refuse to start. */
const relaunch = async (cluster: Cluster, attempts = 40): Promise<ChildProcess> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(cluster);
    } catch (error) {
      if (attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

/** Creates a cluster in the temporary directory and starts it on a free loopback port. */
export const startServer = async (settings: Settings = {}): Promise<Server> => {
  const cluster = makeCluster(settings, await freePort());
  const password = randomBytes(18).toString('hex');
  const remove = (): void => rmSync(cluster.scratch, { recursive: true, force: true, maxRetries: 5 });
  let child: ChildProcess;
  try {
    await initialise(cluster, password);
    child = await relaunch(cluster, 3);
  } catch (error) {
    remove();
    throw error;
  }
  const abandon = (): void => {
    child.kill('SIGQUIT');
    remove();
  };
  process.once('exit', abandon);
  return {
    url: `postgres://rethread:${password}@127.0.0.1:${cluster.port}/postgres`,
    port: cluster.port,
    kill: (signal) => gone(child, signal),
    start: async () => {
      child = await relaunch(cluster);
    },
    stop: async () => {
      process.off('exit', abandon);
      await shutDown(child);
      remove();
    },
  };
};
