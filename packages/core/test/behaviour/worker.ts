import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import type { Dialect } from '../../src/index.ts';
import { compareAnswers, inert, shownAnswer, toJson, type Difference } from './comparing.ts';
import type { Core } from './core.ts';
import { LISTED } from './listed.ts';
import { QUESTIONS, type Answer, type Question } from './questions.ts';
import { examplesOf, seeded, type Subject } from './subjects.ts';

/** Two answers that differ, with what they are answers to. */
export type Found = Omit<Subject, 'index'> & {
  readonly question: string;
  readonly difference: Difference;
  readonly before: unknown;
  readonly after: unknown;
};

/** What a thread is asked to compare. */
export type Work =
  | { readonly kind: 'rules' }
  | { readonly kind: 'examples'; readonly rule: string; readonly dialect: Dialect | undefined }
  | { readonly kind: 'seeds'; readonly dialect: Dialect; readonly from: number; readonly to: number }
  | { readonly kind: 'case'; readonly subject: string };

export type Told = {
  readonly inputs: number;
  readonly answers: number;
  /** How often each question was answered otherwise: `real`, `words`, or the name of a listed difference. */
  readonly counts: Readonly<Record<string, number>>;
  /** The shortest of each kind, or all of them if the thread was asked to keep them. */
  readonly found: readonly (Found & { readonly count: string })[];
};

export type Settings = { readonly reference: string; readonly changed: string; readonly keepAll: boolean };

const { reference, changed, keepAll } = workerData as Settings;
const before = (await import(reference)) as Core;
const after = (await import(changed)) as Core;

async function answer({ ask }: Question, core: Core, subject: Subject): Promise<Answer> {
  try {
    return await ask(core, subject);
  } catch (error) {
    return { made: 'threw', words: String(error) };
  }
}

const RULES: Question = {
  name: 'rules',
  every: 1,
  ask: (core) => ({ told: core.rules().map((rule) => ({ ...rule, examples: undefined })) }),
};

const NOTHING: Subject = {
  id: 'rules',
  index: 0,
  dialect: 'openai-chat',
  input: [],
  target: undefined,
  options: {},
};

function* subjectsOf(work: Work): Generator<Subject> {
  if (work.kind === 'examples') {
    const { dialect } = work;
    for (const subject of examplesOf(before, work.rule))
      if (dialect === undefined || subject.dialect === dialect) yield subject;
  } else if (work.kind === 'seeds') {
    for (let index = work.from; index < work.to; index += 1) yield seeded(work.dialect, index);
  } else if (work.kind === 'case') {
    const [kind, name = '', index] = work.subject.split(':');
    if (kind === 'seed') yield seeded(name as Dialect, Number(index));
    else for (const subject of examplesOf(before, name)) if (subject.id === work.subject) yield subject;
  }
}

class Tally {
  inputs = 0;
  answers = 0;
  readonly counts: Record<string, number> = {};
  readonly #all: (Found & { readonly count: string })[] = [];
  readonly #shortest = new Map<string, Found & { readonly count: string }>();

  async ask(question: Question, subject: Subject): Promise<void> {
    const answers = [await answer(question, before, subject), await answer(question, after, subject)] as const;
    this.answers += 1;
    const difference = compareAnswers(...answers);
    if (difference !== undefined) this.#note(question, subject, { difference, answers });
  }

  #note({ name }: Question, subject: Subject, { difference, answers }: Differing): void {
    const [one, other] = answers;
    const { id, dialect, target, options } = subject;
    const found = {
      id,
      dialect,
      target,
      options,
      input: inert(subject.input, []),
      question: name,
      difference,
      before: shownAnswer(one),
      after: shownAnswer(other),
    };
    const listed = LISTED.find(({ matches }) => matches(found));
    const count = listed?.name ?? difference;
    const key = `${count}\t${name}\t${subject.dialect}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
    const known = this.#shortest.get(key);
    if (keepAll) this.#all.push({ ...found, count });
    else if (known === undefined || toJson(found).length < toJson(known).length) {
      this.#shortest.set(key, { ...found, count });
    }
  }

  get found(): (Found & { readonly count: string })[] {
    return keepAll ? this.#all : [...this.#shortest.values()];
  }
}

type Differing = { readonly difference: Difference; readonly answers: readonly [Answer, Answer] };

const isAsked = ({ every, at = 0 }: Question, index: number): boolean => index % every === at;

async function compare(work: Work): Promise<Told> {
  const tally = new Tally();
  if (work.kind === 'rules') await tally.ask(RULES, NOTHING);
  for (const subject of subjectsOf(work)) {
    tally.inputs += 1;
    for (const question of QUESTIONS) {
      if (work.kind === 'case' || isAsked(question, subject.index)) await tally.ask(question, subject);
    }
  }
  const { inputs, answers, counts, found } = tally;
  return { inputs, answers, counts, found };
}

const port = parentPort;
assert(port, 'this file runs as a worker of main.ts');

async function tell(work: Work): Promise<void> {
  port?.postMessage(await compare(work));
}

// Without more work there is nothing to wait for, and the thread ends.
port.on('message', (work: Work | undefined) => {
  if (work === undefined) port.close();
  else void tell(work);
});
