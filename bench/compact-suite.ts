import { runJob } from './child.ts';
import type { CompactTimings } from './compact-timings.ts';
import { loadEngine } from './engine.ts';
import type { Effort } from './repair-suite.ts';
import { count } from './targets.ts';
import type { TokenTimings } from './token-timings.ts';
import type { Row } from './verdicts.ts';

export type CompactMeasurements = {
  tokens: TokenTimings;
  /** The history of the target, in several dialects. */
  heavy: CompactTimings[];
  /** A short and a long history of short results, for how the time grows with the number of messages. */
  growth: CompactTimings[];
  /** A history that is short enough for a peer whose time grows with the square of the length. */
  beside: CompactTimings;
};

const dialects = ['anthropic-messages', 'openai-chat'] as const;
const budgetTokens = 128_000;

/** Takes all measurements of compaction and of the estimate of tokens, each in a process of its own. */
export async function measureCompaction(
  { seed, quick }: Effort,
  progress: (what: string) => void,
): Promise<CompactMeasurements> {
  await loadEngine().catch((cause: unknown) => {
    throw new Error('@rethread/core cannot be loaded; run `npm run build` first.', { cause });
  });
  const rounds = { most: 60, budgetMs: quick ? 6_000 : 12_000 };
  const shared = process.env['RETHREAD_SHARED'];
  progress('the estimate of tokens');
  const perKind = quick ? 20 : 60;
  const tokens = await runJob('tokens', { seed, perKind, rounds, ...(shared === undefined ? {} : { shared }) });
  const heavy: CompactTimings[] = [];
  for (const dialect of dialects) {
    progress(`compaction of 10k messages, ${dialect}`);
    heavy.push(await runJob('compact', { dialect, results: 'heavy', messages: 10_000, seed, rounds, peer: false }));
  }
  const growth: CompactTimings[] = [];
  for (const messages of quick ? [] : [10_000, 100_000]) {
    progress(`cuts of ${count(messages)} messages`);
    const job = { dialect: 'openai-chat', results: 'light', messages, seed, rounds, peer: false } as const;
    growth.push(await runJob('compact', job));
  }
  progress('a peer');
  const length = quick ? 500 : 2_000;
  const job = { dialect: 'openai-chat', results: 'heavy', messages: length, seed, rounds, peer: true } as const;
  return { tokens, heavy, growth, beside: await runJob('compact', job) };
}

type Bar = { most?: number; least?: number };

function row(told: Pick<Row, 'id' | 'what' | 'on' | 'value' | 'unit'>, { most, least }: Bar = {}): Row {
  // A value that is not a number is a measurement that failed, and a failed measurement proves nothing.
  if (most !== undefined) return { ...told, bar: most, verdict: told.value <= most ? 'pass' : 'miss' };
  if (least === undefined) return { ...told, verdict: 'shown' };
  return { ...told, bar: least, sense: 'at least', verdict: told.value >= least ? 'pass' : 'miss' };
}

/** Holds every reading against its bar; times are compared by their minima, which repeat on a busy machine. */
export function judgeCompaction({ tokens, heavy, growth, beside }: CompactMeasurements): Row[] {
  return [...heavy.flatMap(judgeHeavy), ...judgeGrowth(growth), ...judgeBeside(beside), ...judgeTokens(tokens)];
}

const on = ({ dialect, messages }: CompactTimings): string => `${dialect} ${count(messages)}`;

function judgeHeavy(timings: CompactTimings): Row[] {
  const { compact, cuts, parse, tokens, countedShare } = timings;
  const told = { id: 'T6', on: on(timings) } as const;
  const asRatio = { ...told, unit: '× JSON.parse' } as const;
  return [
    row({ ...asRatio, what: 'compact to 128k tokens, settled', value: compact.min / parse.min }, { most: 0.15 }),
    row({ ...asRatio, what: 'cuts, settled', value: cuts.min / parse.min }),
    row({ ...told, what: 'tokens after compaction', value: tokens, unit: '' }, { most: budgetTokens }),
    row({ ...told, what: 'characters counted, of all', value: countedShare, unit: '' }, { most: 0.15 }),
  ];
}

function judgeGrowth([small, large]: readonly CompactTimings[]): Row[] {
  if (small === undefined || large === undefined) return [];
  const lengths = Math.log(large.entries / small.entries);
  const exponent = (work: 'cuts' | 'compact' | 'parse'): number =>
    Math.log(large[work].min / small[work].min) / lengths;
  const where = `${on(small)} to ${count(large.messages)}`;
  return (['cuts', 'compact'] as const).map((work) => {
    const value = exponent(work) - exponent('parse');
    const what = `${work}, growth over that of JSON.parse`;
    return row({ id: 'T6', what, on: where, value, unit: 'exponent' }, { most: 0.15 });
  });
}

function judgeBeside(timings: CompactTimings): Row[] {
  const { trimMessages, compact, parse } = timings;
  if (trimMessages === undefined) return [];
  const told = { id: 'T6', on: on(timings) } as const;
  return [
    row({ ...told, what: '@langchain/core trimMessages', value: trimMessages.min / parse.min, unit: '× JSON.parse' }),
    row({ ...told, what: 'trimMessages over compact', value: trimMessages.min / compact.min, unit: 'quotient' }),
  ];
}

function judgeTokens({ characters, estimate, tokenx, exact, errors, peerErrors, runs }: TokenTimings): Row[] {
  const rate = (ms: number): number => characters / ms / 1_000;
  const texts = `${count(Math.round(characters / 1e3) * 1e3)} characters`;
  const speed = { id: 'T7', on: texts } as const;
  const accuracy = errors.flatMap(({ on: group, texts: of, p1, median, p99 }) => {
    const told = { id: 'T7', on: `${group}, ${of}`, unit: '%' } as const;
    return [
      row({ ...told, what: 'error of the estimate, p1', value: p1 }, { least: -15 }),
      row({ ...told, what: 'error of the estimate, p99', value: p99 }, { most: 15 }),
      row({ ...told, what: 'error of the estimate, median', value: median }),
    ];
  });
  const peers = peerErrors.flatMap(({ on: group, p1, p99 }) => {
    const told = { id: 'T7', on: group, unit: '%' } as const;
    return [
      row({ ...told, what: 'error of tokenx, p1', value: p1 }),
      row({ ...told, what: 'error of tokenx, p99', value: p99 }),
    ];
  });
  const long = runs.flatMap(({ symbol, small, large }) => {
    const told = { id: 'T7', on: `10 MB of ${JSON.stringify(symbol)}` } as const;
    const growth = Math.log(large.min / small.min) / Math.log(10);
    return [
      row({ ...told, what: 'estimate of one symbol', value: large.min, unit: 'ms' }, { most: 150 }),
      row({ ...told, what: 'its growth from 1 MB', value: growth, unit: 'exponent' }, { most: 1.1 }),
    ];
  });
  return [
    row({ ...speed, what: 'estimate over tokenx', value: tokenx.min / estimate.min, unit: 'quotient' }, { least: 5 }),
    row({ ...speed, what: 'millions of characters a second', value: rate(estimate.min), unit: '' }),
    row({ ...speed, what: 'tokenx, millions a second', value: rate(tokenx.min), unit: '' }),
    row({ ...speed, what: 'gpt-tokenizer, millions a second', value: rate(exact.min), unit: '' }),
    ...accuracy,
    ...peers,
    ...long,
  ];
}
