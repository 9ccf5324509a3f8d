import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokenCount } from 'tokenx';
import { loadEngine } from './engine.ts';
import { interleave, interleaveEach, sampleOf, type Rounds, type Sample } from './measure.ts';
import { generateTexts } from './token-texts.ts';

/** `shared` is the folder with recorded sessions, where there is one. */
export type TokensJob = { seed: number; perKind: number; rounds: Rounds; shared?: string };

/** How far the estimates of many texts are off, in hundredths of what the tokenizer counts. */
export type Errors = { on: string; texts: number; p1: number; median: number; p99: number };
export type RunTimings = { symbol: string; small: Sample; large: Sample };
export type TokenTimings = {
  characters: number;
  estimate: Sample;
  tokenx: Sample;
  exact: Sample;
  errors: Errors[];
  peerErrors: Errors[];
  runs: RunTimings[];
};

type Counter = (text: string) => number;
type Group = { on: string; texts: { text: string; tokens: number }[] };

const timedPerKind = 3;
const shortest = 200;
/** A text that an exact tokenizer would need seconds for is left out of the comparison. */
const longest = 60_000;
const symbols = ['a', ' ', '\n', '-', '0', 'é', '字', '🙂'];
const runCharacters = { small: 1_000_000, large: 10_000_000 };

/** Times the estimate beside tokenx and an exact tokenizer, and holds it against what that one counts. */
export async function measureTokens(job: TokensJob): Promise<TokenTimings> {
  const { estimateTokens } = await loadEngine();
  const estimate: Counter = (text) => estimateTokens(text);
  const generated = generateTexts(job.seed, job.perKind);
  const groups: Group[] = [
    group(`${new Set(generated.map(({ kind }) => kind)).size} kinds of generated texts`, generated),
    group('files of this project', ownFiles()),
    ...(job.shared === undefined ? [] : [group('recorded sessions', recordedTexts(job.shared))]),
  ];
  const texts = asReceived(generateTexts(job.seed, timedPerKind).map(({ text }) => text));
  const samples = interleaveEach(
    [
      { name: 'estimate', run: estimate },
      { name: 'tokenx', run: (text) => estimateTokenCount(text) },
      { name: 'exact', run: (text) => countTokens(text) },
    ],
    texts,
    { ...job.rounds, most: 200 },
  );
  return {
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    estimate: sampleOf(samples, 'estimate'),
    tokenx: sampleOf(samples, 'tokenx'),
    exact: sampleOf(samples, 'exact'),
    errors: groups.map((each) => errorsOf(each, estimate)),
    peerErrors: groups.map((each) => errorsOf(each, estimateTokenCount)),
    runs: await measureRuns(estimate, job.rounds),
  };
}

/** Texts as they come from a file or a provider, and not as pieces of longer ones, which take longer to read. */
function asReceived(texts: readonly string[]): string[] {
  return JSON.parse(JSON.stringify(texts)) as string[];
}

function group(on: string, texts: readonly { text: string }[]): Group {
  const told = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return { on, texts: texts.map(({ text }) => ({ text, tokens: countTokens(text, told) })) };
}

function errorsOf({ on, texts }: Group, count: Counter): Errors {
  const errors = texts.map(({ text, tokens }) => 100 * (count(text) / tokens - 1)).sort((a, b) => a - b);
  const at = (share: number): number => errors[Math.round(share * (errors.length - 1))] ?? Number.NaN;
  return { on, texts: texts.length, p1: at(0.01), median: at(0.5), p99: at(0.99) };
}

async function measureRuns(estimate: Counter, rounds: Rounds): Promise<RunTimings[]> {
  const timings: RunTimings[] = [];
  for (const symbol of symbols) {
    const [small, large] = [runCharacters.small, runCharacters.large].map((length) => {
      return symbol.repeat(Math.ceil(length / Buffer.byteLength(symbol)));
    });
    const input = (): undefined => undefined;
    const candidates = [
      { name: 'small', input, run: () => estimate(small ?? '') },
      { name: 'large', input, run: () => estimate(large ?? '') },
    ];
    const samples = await interleave(candidates, { most: 20, budgetMs: rounds.budgetMs / symbols.length });
    timings.push({ symbol, small: sampleOf(samples, 'small'), large: sampleOf(samples, 'large') });
  }
  return timings;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files cut into pieces of the length of messages. */
function piecesOf(paths: readonly string[]): { text: string }[] {
  return paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const pieces: { text: string }[] = [];
    for (let from = 0; from + shortest <= text.length && pieces.length < 4; from += 1_500) {
      pieces.push({ text: text.slice(from, from + 1_500).toWellFormed() });
    }
    return pieces.filter((piece) => piece.text.length >= shortest);
  });
}

function ownFiles(): { text: string }[] {
  const patterns = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'packages/core/src/engine/*.ts', 'tools/*.{ts,mjs}'];
  return piecesOf(globSync(patterns, { cwd: root }).map((path) => `${root}${path}`));
}

function recordedTexts(shared: string): { text: string }[] {
  const texts = new Set<string>();
  const paths = ['evidence/recorded.jsonl', ...globSync('corpus/*/*.{json,jsonl}', { cwd: shared })];
  for (const path of paths.map((each) => `${shared}/${each}`)) if (existsSync(path)) readTexts(path, texts);
  return [...texts].sort().map((text) => ({ text }));
}

function readTexts(path: string, texts: Set<string>): void {
  const content = readFileSync(path, 'utf8');
  for (const document of path.endsWith('.json') ? [content] : content.split('\n')) {
    try {
      addTexts(JSON.parse(document), texts);
    } catch {
      // A corpus of broken sessions has lines that are no JSON; they hold no texts to measure.
    }
  }
}

function addTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    const usual = value.length >= shortest && value.length <= longest && !/(.)\1{3000}/s.test(value);
    if (usual) texts.add(value.toWellFormed());
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) addTexts(each, texts);
  }
}
