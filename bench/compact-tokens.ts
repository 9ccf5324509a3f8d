import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '@rethread/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokenCount } from 'tokenx';
import { fastest, quantile, time, type Reading, type Rounds } from './measure.ts';
import { generateTexts } from './token-texts.ts';

type Job = { seed: number; perKind: number; rounds: Rounds };
type Counter = (text: string) => number;

const timedPerKind = 3;
const symbols = ['a', ' ', '\n', '-', '0', 'é', '字', '🙂'];
const root = join(import.meta.dirname, '..');

const counters = {
  ours: (text) => estimateTokens(text),
  tokenx: (text) => estimateTokenCount(text),
  exact: (text) => countTokens(text, { disallowedSpecial: new Set<string>() }),
} as const satisfies Record<string, Counter>;
type CounterName = keyof typeof counters;

/** Times the estimate beside tokenx and an exact tokenizer, and holds it against what that one counts. */
export async function measure({ seed, perKind, rounds }: Job): Promise<Reading[]> {
  return [
    ...(await speed(seed, rounds)),
    ...errors('generated texts', generated(seed, perKind)),
    ...errors('files of this project', ownFiles()),
    ...(await oneSymbol(rounds)),
  ];
}

const generated = (seed: number, perKind: number): string[] => generateTexts(seed, perKind).map(({ text }) => text);

/** Every text is timed by itself: on a busy machine a long sample is never left alone, and a short one often is. */
async function speed(seed: number, rounds: Rounds): Promise<Reading[]> {
  // Texts as they come from a parser, not as pieces of longer ones, which take longer to read.
  const texts = JSON.parse(JSON.stringify(generated(seed, timedPerKind))) as string[];
  const samplers = Object.entries<Counter>(counters).flatMap(([name, counter]) =>
    texts.map((text, at) => [`${name} ${at}`, () => time(() => counter(text))] as const),
  );
  const least = await fastest(Object.fromEntries(samplers), { ...rounds, most: 200 });
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const rate = (name: CounterName): number => {
    const ms = texts.reduce((sum, _, at) => sum + (least[`${name} ${at}`] ?? Number.NaN), 0);
    return characters / ms / 1_000;
  };
  const on = `${texts.length} texts`;
  return [
    { target: 'estimate', on, ours: rate('ours'), peer: rate('tokenx') },
    { target: 'estimateExact', on, ours: rate('ours'), peer: rate('exact') },
  ];
}

/** How far the counts of single texts are off, in hundredths of the exact count. */
function errors(group: string, texts: readonly string[]): Reading[] {
  const exact = texts.map(counters.exact);
  const at = (name: CounterName, share: number): number => {
    const counted = texts.map((text, index) => 100 * (counters[name](text) / (exact[index] ?? Number.NaN) - 1));
    return quantile(counted, share);
  };
  const on = `${group}, ${texts.length}`;
  return [
    { target: 'errorLow', on, ours: at('ours', 0.01), peer: at('tokenx', 0.01) },
    { target: 'errorHigh', on, ours: at('ours', 0.99), peer: at('tokenx', 0.99) },
  ];
}

/** The beginnings of some files, cut into pieces of the length of messages. */
function ownFiles(): string[] {
  const patterns = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'packages/store/src/*.ts', 'tools/*.{ts,mjs}'];
  return globSync(patterns, { cwd: root }).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const pieces = [0, 1_500, 3_000, 4_500].map((from) => text.slice(from, from + 1_500).toWellFormed());
    return pieces.filter(({ length }) => length >= 200);
  });
}

async function oneSymbol(rounds: Rounds): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const symbol of symbols) {
    const text = symbol.repeat(Math.ceil(10_000_000 / Buffer.byteLength(symbol)));
    const budgetMs = rounds.budgetMs / symbols.length;
    const { ours } = await fastest({ ours: () => time(() => counters.ours(text)) }, { most: 20, budgetMs });
    readings.push({ target: 'oneSymbol', on: `10 MB of ${JSON.stringify(symbol)}`, ours });
  }
  return readings;
}
