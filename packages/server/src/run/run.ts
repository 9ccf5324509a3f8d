import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { createProxy } from '../proxy/proxy.ts';
import type { ProxyOptions } from '../proxy/options.ts';
import type { Statistics } from '../proxy/statistics.ts';
import type { Around, Bases, Redirection, Route } from './tool.ts';
import { toolOf } from './tools.ts';

export type RunOptions = Omit<ProxyOptions, 'upstreams' | 'host' | 'port' | 'token' | 'tls'> & {
  /** Variables to set for a tool that is not known, each with the base URL that it stands for. */
  readonly variables?: Bases;
  /** Called before the tool starts, for instance to back up its sessions; the tool does not start if it rejects. */
  readonly beforeStart?: (command: string) => Promise<void>;
};

/** How a run ended. */
export type RunOutcome = {
  /** The exit code of the command, or 128 and the number of the signal that ended it. */
  readonly code: number;
  readonly statistics: Statistics;
};

/** Runs a command whose requests go through a proxy of its own, and waits for it to end. */
export async function runBehindProxy(command: readonly string[], options: RunOptions = {}): Promise<RunOutcome> {
  const [program = '', ...args] = command;
  const { variables, beforeStart, ...settings } = options;
  const around = surroundings();
  const route = variables === undefined ? await toolOf(program).route(around) : routeOf(variables);
  const names = Object.keys(route.bases);
  if (names.length === 0) throw new Error(`${program} has no base URL that can be replaced`);
  await beforeStart?.(program);
  const upstreams = Object.fromEntries(names.map((name) => [name, originOf(route.bases[name] ?? '')]));
  const folder = await mkdtemp(join(tmpdir(), 'rethread-run-'));
  const proxy = await createProxy({ ...settings, upstreams });
  try {
    const bases = Object.fromEntries(names.map((name) => [name, proxy.urlOf(name) + pathOf(route.bases[name] ?? '')]));
    const redirection = await route.redirect(bases, folder);
    const code = await ending(program, args, redirection);
    return { code, statistics: proxy.statistics() };
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function surroundings(): Around {
  const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
  return { env: process.env, home: homedir(), cwd: process.cwd(), readText };
}

function routeOf(variables: Bases): Route {
  const names = Object.keys(variables);
  const nameOf = (variable: string): string => `base-${names.indexOf(variable)}`;
  return {
    bases: Object.fromEntries(names.map((name) => [nameOf(name), variables[name] ?? ''])),
    redirect: (bases) => ({ env: Object.fromEntries(names.map((name) => [name, bases[nameOf(name)] ?? ''])) }),
  };
}

function originOf(base: string): string {
  const url = URL.parse(base);
  if (url === null) throw new Error(`${JSON.stringify(base)} is not a base URL`);
  return url.origin;
}

/** Clients see the path that they know, so that what they conclude from it stays true. */
function pathOf(base: string): string {
  return new URL(base).pathname.replace(/\/+$/, '');
}

const FORWARDED = ['SIGTERM', 'SIGHUP'] as const;

function ending(
  program: string,
  args: readonly string[],
  { env = {}, args: first = [] }: Redirection,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...direct(), ...env },
    });
    // A terminal sends Ctrl-C to both; the command decides what it means.
    const ignore = (): void => undefined;
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', ignore);
    for (const signal of FORWARDED) process.on(signal, forward);
    const restore = (): void => {
      process.off('SIGINT', ignore);
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once('error', (error) => {
      restore();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      restore();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** A proxy of a company must not be asked for an address on this machine. */
function direct(): { [name: string]: string } {
  const known = process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? '';
  const list = [known, '127.0.0.1', 'localhost'].filter((each) => each !== '').join(',');
  return { NO_PROXY: list, no_proxy: list };
}
