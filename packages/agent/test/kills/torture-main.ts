import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { interrupted, onInterrupt, showProgress } from '../../../../tools/long-run.ts';
import { freshDatabase, startServer } from '../../../store/test/postgres-server.ts';
import type { Tally } from './audit.ts';
import { finishTogether } from './fleet.ts';
import { killOften, report } from './kill-often.ts';

const help = `npm run torture -- --agent [--kills <number>] [--seed <number>] [--only file|sqlite|postgres|workers]
  Kills agents at random moments, so many times over all stores, and resumes each session to its end; then has four
  workers on one PostgreSQL finish 200 sessions, while some of them are killed. Ends with 1 when a request was refused,
  an effect was lost, or one happened twice that must not. With fewer than 1000 kills there are fewer sessions for the
  workers.`;

const { values } = parseArgs({
  options: {
    agent: { type: 'boolean', default: true },
    kills: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (words: string): void => void process.stdout.write(`${words}\n`);
const folder = mkdtempSync(join(tmpdir(), 'rethread-agent-torture-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

const ctrlC = new AbortController();
const { signal } = ctrlC;
let tally: Readonly<Tally> = {};
const watched = { signal, watch: (counts: Readonly<Tally>): void => void (tally = counts) };

const onPostgres = async (work: (url: string) => Promise<Tally>): Promise<Tally> => {
  const server = await startServer();
  try {
    return await work(await freshDatabase(server.url));
  } finally {
    await server.stop();
  }
};

const seed = Number(values.seed);
const kills = Math.ceil(Number(values.kills) / (values.only === undefined ? 3 : 1));
const kill = (url: string): Promise<Tally> => killOften(url, { kills, seed, ...watched });

const fleet = shareOf({ sessions: 200, kills: 40 });

/** Steps by name. Each counts its work and throws at the first violation. */
const steps: Readonly<Record<string, () => Promise<Tally>>> = {
  file: () => kill(`file:${join(folder, 'files')}`),
  sqlite: () => kill(`sqlite:${join(folder, 'sessions.db')}`),
  postgres: () => onPostgres(kill),
  workers: () => onPostgres((url) => finishTogether(url, { workers: 4, seed, ...fleet, ...watched })),
};

/** The requested share of a count. */
function shareOf<T extends Record<string, number>>(counts: T): T {
  const share = Math.min(1, Number(values.kills) / 1_000);
  return Object.fromEntries(
    Object.entries(counts).map(([name, most]) => [name, Math.max(4, Math.ceil(most * share))]),
  ) as T;
}

/** The fault of the arguments, if any. */
function problemIn({ only, kills: many, seed: from }: typeof values): string | undefined {
  if (only !== undefined && !Object.hasOwn(steps, only)) return `--only is one of ${Object.keys(steps).join(', ')}`;
  if (!/^[1-9]\d*$/.test(many)) return '--kills is a whole number from 1 up';
  return /^\d+$/.test(from) ? undefined : '--seed is a whole number';
}

async function watch(name: string, step: () => Promise<Tally>): Promise<Tally> {
  using _ = showProgress(() => progressOf(name));
  return await step();
}

/** The progress of a step. */
function progressOf(name: string): string {
  const { kills: killed = 0, sessions = 0, requests = 0, refused = 0 } = tally;
  const all = name === 'workers' ? fleet.kills : kills;
  // The sessions are examined when all workers are done.
  const rest = name === 'workers' ? `${fleet.sessions} sessions` : `${sessions} sessions done`;
  return `${name}: ${killed} of ${all} kills, ${rest}, ${requests} requests, ${refused} refused`;
}

/** Returns the exit code. */
async function run(): Promise<number> {
  let refused = 0;
  for (const [name, step] of Object.entries(steps)) {
    if (values.only !== undefined && values.only !== name) continue;
    const began = performance.now();
    tally = {};
    const counted = await watch(name, step);
    refused += counted['refused'] ?? 0;
    say(`${name}: ${report(counted)} (${((performance.now() - began) / 1_000).toFixed(0)} s)`);
  }
  say(`${refused} requests refused, 0 effects lost, 0 done twice that must not be`);
  return refused === 0 ? 0 : 1;
}

const problem = problemIn(values);
if (values.help) say(help);
else if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  process.once('exit', removeFolder);
  onInterrupt(() => ctrlC.abort());
  try {
    process.exitCode = await run();
  } catch (error) {
    // A failure after the workers were taken away means nothing.
    if (!signal.aborted) throw error;
    process.exitCode = interrupted;
  }
}
