import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { decode, detectDialect, type Message } from '@rethread/core';
import { createSimulator } from '@rethread/simulator';
import { open } from '@rethread/store';
import { build } from 'esbuild';

import { cache } from '../../../../tools/node.mjs';
import { seedAt, startRandom, type Random } from '../../../core/test/fuzz/random.ts';
import { errandModel } from './errand-model.ts';
import { FAREWELL, TOOLS, type Order } from './errand.ts';
import { historyOf, type Framework } from './frameworks.ts';
import type { Job } from './worker.ts';
import { startWorld, type World } from './world.ts';

/** Counts of a run. `refused` and `complaints` must stay empty. */
export type Tally = {
  kills: number;
  sessions: number;
  requests: number;
  effects: number;
  readonly refused: string[];
};

/** When a worker dies: after so many lines, and then some milliseconds. */
type Moment = { readonly lines: number; readonly ms: number };

type Life = { readonly killed: boolean; readonly lines: number; readonly shown: readonly string[] };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function bundleWorker(): Promise<string> {
  // Inside node_modules, so that the frameworks are found.
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'framework-workers-'));
  await build({
    entryPoints: [here('worker.ts')],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    external: ['ai', '@ai-sdk/*', '@langchain/*', '@openai/agents', 'openai', 'pg'],
    logLevel: 'warning',
    alias: {
      '@rethread/core': here('../../../core/src/index.ts'),
      '@rethread/store': here('../../../store/src/index.ts'),
    },
  });
  return folder;
}

/** Lets a worker live until its moment, or its end. */
function live(child: ChildProcess, moment: Moment | undefined): Promise<Life> {
  let [text, errors] = ['', ''];
  let timer: NodeJS.Timeout | undefined;
  child.stdout?.setEncoding('utf8').on('data', (some: string) => {
    text += some;
    if (moment === undefined || text.split('\n').length <= moment.lines) return;
    timer ??= setTimeout(() => child.kill('SIGKILL'), moment.ms);
  });
  child.stderr?.setEncoding('utf8').on('data', (some: string) => (errors += some));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal !== 'SIGKILL') return reject(new Error(`a worker ended with ${code}:\n${errors}`));
      const lines = text.split('\n').slice(0, -1);
      const shown = lines.map((line) => (JSON.parse(line) as { readonly shown?: string }).shown ?? '\n');
      resolve({
        killed: signal === 'SIGKILL',
        lines: lines.length,
        shown: shown.join('').split(/\n+/).filter(Boolean),
      });
    });
  });
}

const orderOf = (input: unknown): Order => (typeof input === 'string' ? JSON.parse(input) : input) as Order;

function partsOf(history: readonly unknown[]): Message['parts'] {
  const messages = decode(history, detectDialect(history))?.messages ?? [];
  return messages.flatMap(({ parts }) => parts);
}

type Ended = {
  readonly history: readonly unknown[];
  readonly shown: readonly string[];
  readonly settled: readonly { readonly callId: string; readonly output?: unknown }[];
};

/** What is wrong with a finished session: lost words, lost results, effects that happened too often. */
function complaintsAbout({ history, shown, settled }: Ended, world: World): readonly string[] {
  const parts = partsOf(history);
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
  const results = parts.flatMap((part) => (part.kind === 'result' ? [part] : []));
  const lost = shown.filter((piece) => !texts.some((text) => text.includes(piece)));
  const answers = (id: string): readonly string[] =>
    results.filter(({ callId }) => callId === id).map((result) => JSON.stringify(result));
  return [
    ...lost.map((piece) => `shown and lost: ${piece}`),
    ...(texts.some((text) => text.includes(FAREWELL)) ? [] : ['it has no last word']),
    ...(new Set(texts).size === texts.length ? [] : ['a text is there twice']),
    ...calls.flatMap(({ callId, tool }) =>
      answers(callId).length === 1 ? [] : [`${tool} ${callId} has ${answers(callId).length} results`],
    ),
    ...settled
      .filter(
        ({ callId, output }) => !answers(callId).some((answer) => answer.includes(JSON.stringify(output).slice(1, -1))),
      )
      .map(({ callId }) => `the recorded result of ${callId} is not in the history`),
    ...calls.flatMap(({ tool, input }) => complaintsAboutCall(tool, orderOf(input), world)),
    ...[...world.calls.keys()]
      .filter((token) => !calls.some(({ input }) => orderOf(input).token === token))
      .map((token) => `${token} ran, and the history does not know it`),
  ];
}

function complaintsAboutCall(tool: string, { token }: Order, world: World): readonly string[] {
  const { asked = 0, keys = new Set() } = world.calls.get(token) ?? {};
  return [
    ...(keys.size <= 1 ? [] : [`${token} was given ${keys.size} keys`]),
    ...(TOOLS[tool as keyof typeof TOOLS] === 'once' && asked > 1 ? [`${token} ran ${asked} times`] : []),
  ];
}

export type Plan = {
  readonly framework: Framework;
  /** The folder or address of the store. */
  readonly store: string;
  readonly seed: number;
  /** `random`: so many kills at random moments. `events`: one kill after each event of an errand. */
  readonly kills: number | 'at every event';
};

/** Kills workers of a framework, lets others continue, and examines every finished session. */
export async function killOften({ framework, store: url, seed, kills }: Plan): Promise<Tally> {
  const tally: Tally = { kills: 0, sessions: 0, requests: 0, effects: 0, refused: [] };
  const folder = await bundleWorker();
  const simulator = await createSimulator({ model: errandModel, faults: 'drip:1@60%', seed, keepVerdicts: 0 });
  simulator.onVerdict(({ accepted, refusals }) => {
    tally.requests += 1;
    if (!accepted) tally.refused.push(refusals[0]?.text ?? 'for no reason');
  });
  const random = startRandom(seedAt(seed, 1));
  try {
    for (let session = 1, more = true; more; session += 1) {
      const world = await startWorld();
      const job: Job = { framework, store: url, session: `s${session}`, urls: simulator.baseUrls, world: world.url };
      const start = (): ChildProcess =>
        spawn(process.execPath, [join(folder, 'worker.mjs'), JSON.stringify(job)], { env: {}, stdio: 'pipe' });
      const next = kills === 'at every event' ? oneAfter(session) : someOf(random, kills - tally.kills);
      const { shown, killed } = await finish(start, next);
      tally.kills += killed;
      more = kills === 'at every event' ? killed > 0 : tally.kills < kills;
      const ended = { history: await historyOf(url, framework, job.session), shown, settled: await settledIn(job) };
      const complaints = complaintsAbout(ended, world);
      if (complaints.length > 0)
        throw new Error(`${framework} ${job.session}, seed ${seed}:\n${complaints.join('\n')}`);
      tally.sessions += 1;
      tally.effects += [...world.calls.values()].reduce((sum, { asked }) => sum + asked, 0);
      await world.close();
    }
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return tally;
}

/** The moments of the kills of one session; undefined lets a worker finish. */
type Moments = () => Moment | undefined;

function oneAfter(lines: number): Moments {
  const left: Moment[] = [{ lines, ms: 0 }];
  return () => left.pop();
}

const MOST_KILLS = 4;

function someOf(random: Random, left: number): Moments {
  let rest = Math.min(left, MOST_KILLS);
  return () => {
    rest -= 1;
    return rest < 0 ? undefined : { lines: 1 + random.below(25), ms: random.next() * 8 };
  };
}

async function finish(
  start: () => ChildProcess,
  moments: Moments,
): Promise<{ readonly shown: readonly string[]; readonly killed: number }> {
  const shown: string[] = [];
  for (let killed = 0; ; killed += 1) {
    const life = await live(start(), moments());
    shown.push(...life.shown);
    if (!life.killed) return { shown, killed };
  }
}

async function settledIn({ store: url, session }: Job): Promise<Ended['settled']> {
  const store = await open(url);
  const records = await (await store.session(session)).load();
  await store.close();
  return records.flatMap(({ kind, data }) =>
    kind === 'call.settled' ? [data as { readonly callId: string; readonly output?: unknown }] : [],
  );
}
