import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { pathToFileURL } from 'node:url';
import type { Dialect } from '../../src/index.ts';
import { dialects } from '../fuzz/histories.ts';
import { bundleReference, bundleWorkingTree, NoReference } from './bundles.ts';
import type { Core } from './core.ts';
import { answerTo, type Case, type Line } from './sample.ts';
import { examplesOf, seeded, type Subject } from './subjects.ts';

/** How much is recorded of each dialect, in bytes, by what is asked; of repairs for each rule that the dialect has. */
const MOST = { repair: 640, convert: 3_000, compact: 3_000 } as const;

/** Seeds that are looked through for something that no shorter input shows. */
const SEEDS = 3_000;

const folder = new URL('sample/', import.meta.url);
const fileOf = (dialect: Dialect): URL => new URL(`${dialect}.jsonl`, folder);

const kindOf = ({ to, budgetTokens }: Case): keyof typeof MOST =>
  budgetTokens === undefined ? (to === undefined ? 'repair' : 'convert') : 'compact';

const caseOf = ({ id, dialect, target, options, input }: Subject): Case => ({
  id,
  dialect,
  ...(target === undefined ? {} : { target }),
  ...(Object.keys(options).length === 0 ? {} : { options }),
  input,
});

/** Everything that could be recorded of a dialect. */
function* candidates(reference: Core, dialect: Dialect): Generator<Case> {
  for (const { id: rule } of reference.rules()) {
    for (const subject of examplesOf(reference, rule)) if (subject.dialect === dialect) yield caseOf(subject);
  }
  const others = dialects.filter((other) => other !== dialect);
  for (let n = 0; n < SEEDS; n += 1) {
    const subject = seeded(dialect, n);
    const { id, input } = subject;
    yield caseOf(subject);
    const to = others[n % others.length];
    if (to !== undefined) yield { id: `${id}:to:${to}`, dialect, to, input };
    if (n % 10 !== 5) continue;
    const tokens = reference.estimateTokens(input, dialect);
    yield { id: `${id}:compact`, dialect, budgetTokens: Math.floor(tokens / (2 + (n % 7))), input };
  }
}

/** What an answer shows: which findings, which repairs with which choices, which losses; places do not count. */
function shown({ to, options }: Case, answer: object): string[] {
  const lists = Object.values(answer).filter((value) => Array.isArray(value)) as unknown[][];
  const facts = lists.flat().filter((fact) => typeof fact === 'string' && !fact.startsWith('#'));
  const kinds = facts.map((fact) => String(fact).split(' ').slice(0, 3).join(' '));
  const how = `${String(to)} ${Object.keys(options ?? {}).join()}`;
  return [...new Set(kinds), `${how} ${'verdict' in answer ? String(answer.verdict) : ''}`];
}

/** A broken example of a rule, as the rule has it; these are taken before anything else. */
const PLAIN = /^example:.*:before:0:0$/;

const survivesJson = (value: unknown): boolean => {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false;
  }
};

const withoutAnswer = ({ answer: _answer, ...asked }: Line): Case => asked;
const known = (dialect: Dialect): Case[] =>
  existsSync(fileOf(dialect))
    ? readFileSync(fileOf(dialect), 'utf8')
        .trim()
        .split('\n')
        .map((line) => withoutAnswer(JSON.parse(line) as Line))
    : [];

/** The case of an id as it is printed with a difference; `:pushed` behind it has its messages come one by one. */
function caseNamed(reference: Core, id: string): Case {
  const pushed = id.endsWith(':pushed');
  const wanted = pushed ? id.slice(0, -':pushed'.length) : id;
  const [kind, name = '', index] = wanted.split(':');
  const found =
    kind === 'seed'
      ? seeded(name as Dialect, Number(index))
      : [...examplesOf(reference, name)].find((subject) => subject.id === wanted);
  if (found === undefined) throw new NoReference(`No input has the id ${id}.`);
  return { ...caseOf(found), id, ...(pushed ? { pushed } : {}) };
}

type Given = { readonly reference: Core; readonly changed: Core; readonly added: readonly Case[] };

/** Keeps the cases that are on record, takes those that are added, and the shortest that show something new. */
async function record(dialect: Dialect, { reference, changed, added }: Given): Promise<number> {
  const rules = reference.rules().filter((rule) => rule.dialects.includes(dialect));
  const room: Record<string, number> = { ...MOST, repair: MOST.repair * rules.length };
  const seen = new Set<string>();
  const lines: string[] = [];
  const take = async (asked: Case, always = false): Promise<void> => {
    const answer = (await answerTo(changed, asked)) as object;
    const line = JSON.stringify({ ...asked, answer });
    const fresh = shown(asked, answer).filter((fact) => !seen.has(fact));
    const left = (room[kindOf(asked)] ?? 0) - line.length;
    if (!always && (fresh.length === 0 || left < 0)) return;
    room[kindOf(asked)] = left;
    for (const fact of fresh) seen.add(fact);
    lines.push(line);
  };
  const before = known(dialect);
  const isNew = (asked: Case): boolean => asked.dialect === dialect && !before.some(({ id }) => id === asked.id);
  for (const asked of [...before, ...added.filter(isNew)]) await take(asked, true);
  const possible = [...candidates(reference, dialect)]
    .filter(({ input, target, options }) => survivesJson([input, target ?? null, options ?? {}]))
    .map((asked) => ({ asked, isPlain: PLAIN.test(asked.id), length: JSON.stringify(asked).length }))
    .sort((a, b) => Number(b.isPlain) - Number(a.isPlain) || a.length - b.length);
  for (const { asked } of possible) await take(asked);
  writeFileSync(fileOf(dialect), `${lines.join('\n')}\n`);
  return lines.length;
}

/** Writes down anew what the core of the working tree does with the sample, and adds the cases of these ids. */
export async function recordSample(commit: string, ids: readonly string[]): Promise<void> {
  const { file } = await bundleReference(commit);
  const load = async (path: string): Promise<Core> => (await import(pathToFileURL(path).href)) as Core;
  const [reference, changed] = [await load(file), await load(await bundleWorkingTree())];
  const added = ids.map((id) => caseNamed(reference, id));
  mkdirSync(folder, { recursive: true });
  for (const dialect of dialects) {
    const count = await record(dialect, { reference, changed, added });
    process.stderr.write(`${dialect}: ${String(count)} cases\n`);
  }
}
