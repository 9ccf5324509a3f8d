import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Dialect } from '../../src/index.ts';
import { dialects } from '../fuzz/histories.ts';
import { NoReference } from './bundles.ts';
import { lineDiff } from './line-diff.ts';
import { LISTED } from './listed.ts';
import { compareLive, type Comparison } from './live.ts';
import { publicTypes } from './public-types.ts';
import { recordSample } from './record.ts';
import reference from './reference.json' with { type: 'json' };
import { compareTorture } from './torture.ts';
import type { Told } from './worker.ts';

const COUNT = 100_000;

const help = `npm run behaviour -- [--reference <commit>] [--count N] [--dialect D] [--write FILE]
  Asks the core of a commit and the core of the working tree the same, and prints what is answered otherwise.
  --reference  commit to compare with (default: the one in reference.json, ${reference.commit.slice(0, 12)})
  --count      seeded histories per dialect (default: ${String(COUNT)}); the examples of all rules come on top
  --dialect    only one of ${dialects.join(', ')}
  --seed       only the history of this number, of every dialect or of one, with all questions
  --case       only the input of this id, as it is printed with a difference, with all questions
  --write      write all differences to this file, one JSON object per line
  --words      print differences in the wording of reports too, which are otherwise only counted
instead:
  --record     record the sample of \`npm test\` anew; --case <id>,<id> adds these inputs to it
  --types      record the public types anew
  --torture    run the torture of the file driver and compare its tallies with torture.json`;

const { values } = parseArgs({
  options: {
    reference: { type: 'string', default: reference.commit },
    count: { type: 'string', default: String(COUNT) },
    dialect: { type: 'string' },
    seed: { type: 'string' },
    case: { type: 'string' },
    write: { type: 'string' },
    words: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    torture: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const SHOWN = 10;

const say = (line = ''): void => void process.stdout.write(`${line}\n`);

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : stop(`--${name} needs a whole number, and got ${text}`);
}

function dialectOf(text: string | undefined): Dialect | undefined {
  const found = dialects.find((dialect) => dialect === text);
  if (text === undefined || found !== undefined) return found;
  return stop(`--dialect is one of ${dialects.join(', ')}, and not ${text}`);
}

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 2) ?? 'undefined';

function print({ id, question, dialect, target, options, input, before, after, count }: Told['found'][number]): void {
  say();
  say(`${count}: ${question} of ${id} (${dialect})`);
  say(`  npm run behaviour -- --case ${id}`);
  say(`  target ${JSON.stringify(target)} options ${JSON.stringify(options)}`);
  say(`  input ${JSON.stringify(input)}`);
  say(lineDiff(pretty(before), pretty(after)));
}

/** The shortest difference of each question and dialect, the shortest of these first. */
function printFirst({ found }: Comparison, counts: readonly string[]): void {
  const length = (each: unknown): number => JSON.stringify(each).length;
  const wanted = found.filter(({ count }) => counts.includes(count)).sort((a, b) => length(a) - length(b));
  const kinds = new Map<string, Told['found'][number]>();
  for (const each of wanted) {
    const kind = `${each.count} ${each.question} ${each.dialect}`;
    if (!kinds.has(kind)) kinds.set(kind, each);
  }
  for (const each of [...kinds.values()].slice(0, SHOWN)) print(each);
}

/** How many differences each count has, by what was asked, then by dialect. */
function printCounts({ counts }: Comparison): void {
  const rows = Object.entries(counts).map(([key, times]) => [...key.split('\t'), times] as const);
  const byQuestion = Map.groupBy(rows, ([count, question]) => `${String(count)}, ${String(question)}`);
  say();
  for (const [name, group] of byQuestion) {
    say(`${name}: ${group.map(([, , dialect, times]) => `${String(times)} ${String(dialect)}`).join(', ')}`);
  }
}

const total = ({ counts }: Comparison, wanted: string): number =>
  Object.entries(counts).reduce((sum, [key, times]) => (key.split('\t')[0] === wanted ? sum + times : sum), 0);

function printTotals(comparison: Comparison, whole: boolean): number {
  const { commit, seconds, inputs, answers } = comparison;
  const rate = Math.round(inputs / seconds);
  say();
  say(`${String(inputs)} inputs, ${String(answers)} answers of ${commit.slice(0, 12)} and of the working tree,`);
  say(`in ${seconds.toFixed(1)} s, ${String(rate)} inputs/s`);
  for (const { name, reason } of LISTED)
    say(`${String(total(comparison, name))} differences, ${name}, listed: ${reason}`);
  say(`${String(total(comparison, 'words'))} differences in words: only sentences of reports are put otherwise`);
  say(`${String(total(comparison, 'real'))} differences`);
  const stale = LISTED.filter(({ name }) => total(comparison, name) === 0);
  if (!whole) return total(comparison, 'real') > 0 ? 1 : 0;
  for (const { name } of stale) say(`stale: the listed difference "${name}" matches nothing; take it out of listed.ts`);
  return total(comparison, 'real') + stale.length > 0 ? 1 : 0;
}

async function compareAll(): Promise<number> {
  const dialect = dialectOf(values.dialect);
  const seed = values.seed === undefined ? undefined : numberOf('seed', values.seed);
  const count = numberOf('count', values.count);
  const keepAll = values.write !== undefined;
  const wanted = { reference: values.reference, count, dialect, seed, subject: values.case, keepAll };
  const comparison = await compareLive(wanted);
  if (comparison.answers === 0) return stop('nothing was compared: no input has this id');
  if (values.write !== undefined) {
    writeFileSync(values.write, comparison.found.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  printFirst(comparison, values.words ? ['real', 'words'] : ['real']);
  printCounts(comparison);
  const narrow = dialect !== undefined || seed !== undefined || values.case !== undefined || count < COUNT;
  return printTotals(comparison, !narrow);
}

async function run(): Promise<number> {
  if (values.help) say(help);
  else if (values.record) await recordSample(values.reference, values.case?.split(',') ?? []);
  else if (values.types) writeFileSync(new URL('public-types.txt', import.meta.url), publicTypes());
  else if (values.torture) return compareTorture();
  else return compareAll();
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof NoReference)) throw error;
  stop(error.message);
}
