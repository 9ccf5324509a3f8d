import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { createProxy } from '@rethread/server';
import type { ReplyPart, Verdict } from '@rethread/simulator';

import { isConversation, openGate, type Body, type Break, type Gate, type Step } from './gate.ts';
import { programs, type Program, type ProgramName, type Room } from './programs.ts';

/** One way in which a program builds a request that is refused. */
export type Scenario = {
  readonly program: ProgramName;
  readonly what: string;
  /** How the first run is broken; without it the first run is whole. */
  readonly breaks?: Break;
  /** What ends the program when its answer breaks; Ctrl-C reaches its whole group, as from a terminal. */
  readonly ends?: 'kill' | 'ctrl-c';
  /** Whether the refused request comes in the first run already. */
  readonly once?: boolean;
  /** Whether the program needs the proxy at all; some are here to show that it does no harm. */
  readonly isHealthy?: boolean;
};

const sentence = (mark: string): string =>
  Array.from({ length: 14 }, (_, index) => `${mark}-${index} is a sentence of the analysis.`).join(' ');

/** The rows of broken clients, and one that is not broken. */
export const scenarios: readonly Scenario[] = [
  { program: 'gemini', what: 'every resume with tool history' },
  {
    program: 'codex',
    what: 'killed in the middle of text',
    breaks: { how: 'stall', inside: 'text', after: 4 },
    ends: 'kill',
  },
  {
    program: 'opencode',
    what: 'killed in the middle of text',
    breaks: { how: 'stall', inside: 'text', after: 4 },
    ends: 'kill',
  },
  {
    program: 'kilo',
    what: 'killed in the middle of text',
    breaks: { how: 'stall', inside: 'text', after: 4 },
    ends: 'kill',
  },
  {
    program: 'qwen',
    what: 'Ctrl-C while thinking',
    breaks: { how: 'stall', inside: 'reasoning', after: 4 },
    ends: 'ctrl-c',
  },
  { program: 'kimi', what: 'retry after a cut stream', breaks: { how: 'cut', inside: 'text', after: 4 }, once: true },
  { program: 'cline', what: 'first tool loop with --thinking', once: true },
  {
    program: 'pi',
    what: 'killed in the middle of text',
    breaks: { how: 'stall', inside: 'text', after: 4 },
    ends: 'kill',
    isHealthy: true,
  },
];

export type Way = 'direct' | 'rethread run' | 'rethread proxy';

export type Outcome = {
  /** Refusals of requests of the conversation, in the run that counts. */
  readonly refused: readonly string[];
  readonly accepted: number;
  readonly hasAnswer: boolean;
  /** Whether every accepted request begins with the messages of the one before it, so that prompt caches survive. */
  readonly keepsPrefix: boolean;
  readonly summary: string;
};

export type Stage = {
  /** `node_modules` of the program. */
  readonly modules: string;
  readonly folder: string;
  readonly cli: string;
};

const runLimitMs = 120_000;

/** Plays a scenario, and says what the provider thought of its last run. */
export async function play(scenario: Scenario, way: Way, stage: Stage): Promise<Outcome> {
  await using gate = await openGate();
  await using proxy = await createProxy({ upstreams: { '': gate.url } });
  const room = makeRoom(stage.folder, way === 'rethread proxy' ? proxy.url : gate.url);
  const program: Program = programs[scenario.program];
  program.setUp?.(room);
  const start = (words: readonly string[], name: string): Run => {
    const line = way === 'rethread run' ? [process.execPath, stage.cli, 'run', '--', ...words] : words;
    return startProgram(line, {
      env: envOf(program, room, stage),
      cwd: room.work,
      log: join(stage.folder, `${name}.log`),
    });
  };
  gate.plan(stepsOf(program, room, scenario.breaks));
  const first = start(program.run('PROMPT-ONE Look at the project.'), 'first');
  if (scenario.ends !== undefined) {
    await Promise.race([gate.broken(), first.ended]);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    if (scenario.ends === 'kill') first.kill();
    else await first.interrupt();
  }
  await first.ended;
  endLeftovers(room);
  if (scenario.once === true || program.resume === undefined) return outcomeOf(gate, 0, first.output());
  const before = gate.verdicts.length;
  gate.plan([
    { parts: [reasoning('REASON-THREE go on.'), text('TEXT-THREE Going on.'), call(program.shell('echo again'))] },
  ]);
  const second = start(program.resume('PROMPT-TWO Go on.'), 'second');
  await second.ended;
  endLeftovers(room);
  return outcomeOf(gate, before, second.output());
}

const text = (words: string): ReplyPart => ({ kind: 'text', text: words });
const reasoning = (words: string): ReplyPart => ({ kind: 'reasoning', text: words });
const call = ([tool, input]: ReturnType<Program['shell']>): ReplyPart => ({ kind: 'call', tool, input });

function stepsOf(program: Program, { work }: Room, breaks: Break | undefined): Step[] {
  const first: Step = {
    parts: [
      reasoning('REASON-ONE the project is to be read first, then listed.'),
      text('TEXT-ONE Let me look at it.'),
      call(program.read(join(work, 'a.txt'))),
      call(program.shell('echo OUT; ls')),
    ],
  };
  if (breaks === undefined) return [first];
  const inReasoning = breaks.inside === 'reasoning';
  const parts = inReasoning
    ? [reasoning(sentence('REASON-TWO')), text('TEXT-TWO after.')]
    : [reasoning('REASON-TWO now I can tell.'), text(sentence('TEXT-TWO'))];
  return [first, { parts, breaks }];
}

function makeRoom(folder: string, url: string): Room {
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  rmSync(folder, { recursive: true, force: true });
  for (const each of [home, work]) mkdirSync(each, { recursive: true });
  writeFileSync(join(work, 'a.txt'), 'FILE-BODY hello\n');
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { cwd: work, env: { PATH: '/usr/bin:/bin', HOME: home } });
  git('init', '-q', '.');
  git('add', '-A');
  git('-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-qm', 'one');
  return { home, work, url };
}

/** Nothing of the environment of the tests reaches a program: no key, no address, no setting. */
function envOf(program: Program, room: Room, { modules }: Stage): Record<string, string> {
  const path = [join(modules, program.bin), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const base = { HOME: room.home, PATH: path, TERM: 'dumb', LANG: 'C.UTF-8', NO_COLOR: '1' };
  return { ...base, ...program.env?.(room) };
}

type Run = {
  readonly ended: Promise<void>;
  readonly kill: () => void;
  readonly interrupt: () => Promise<void>;
  readonly output: () => string;
};

type Settings = { readonly env: Record<string, string>; readonly cwd: string; readonly log: string };

function startProgram([command = '', ...args]: readonly string[], { env, cwd, log }: Settings): Run {
  const out = openSync(log, 'w');
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', out, out] });
  closeSync(out);
  const kill = (): void => killTree(child.pid);
  const limit = setTimeout(kill, runLimitMs);
  const ended = new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(limit);
      resolve();
    };
    child.once('exit', done);
    child.once('error', done);
  });
  const interrupt = async (): Promise<void> => {
    for (let count = 0; count < 3 && child.exitCode === null && child.signalCode === null; count += 1) {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 6_000))]);
    }
    kill();
  };
  return { ended, kill, interrupt, output: () => readFileSync(log, 'utf8') };
}

/** Kills a process that we started, and all that it started. */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const each of [pid, ...descendants(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** Ends what a program leaves running: daemons, and shells in sessions of their own. They have our home folder. */
function endLeftovers({ home }: Room): void {
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      if (environment.includes(`HOME=${home}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended by itself, or is none of ours.
    }
  }
}

function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const below = (parent: number): number[] =>
    parents.filter(([, its]) => its === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function parentOf(name: string): number {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function outcomeOf({ verdicts }: Gate, from: number, output: string): Outcome {
  const asked = verdicts.slice(from).filter(({ path }) => !/count_?tokens/i.test(path));
  const refused = asked.filter(({ accepted }) => !accepted).map(textOf);
  const [, summary = ''] = /^rethread: (.*)$/m.exec(output) ?? [];
  return {
    refused,
    accepted: asked.length - refused.length,
    hasAnswer: output.includes('FINAL-ANSWER'),
    keepsPrefix: keepsPrefix(asked.filter(({ accepted, body }) => accepted && isConversation(body as Body))),
    summary,
  };
}

function keepsPrefix(accepted: readonly Verdict[]): boolean {
  const lists = accepted.map(({ body }) => listIn(body as Body));
  return lists.every((list, index) => {
    const before = lists[index - 1] ?? [];
    return JSON.stringify(list.slice(0, before.length)) === JSON.stringify(before);
  });
}

/** The messages of a request, without the cache marks that clients move on in every request. */
function listIn(body: Body): unknown[] {
  const list = body['messages'] ?? body['input'] ?? body['contents'] ?? [];
  const unmarked = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);
  return JSON.parse(JSON.stringify(list, unmarked)) as unknown[];
}

function textOf({ refusals, status }: Verdict): string {
  return `${status} ${refusals[0]?.text ?? ''}`;
}
