import { describe, expect, test } from 'vitest';
import { generateSummary, repair, SummaryError, type SummaryModel } from '@rethread/core';
import { seedAt, startRandom, type Random } from '../fuzz/random.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261119);
const user = (content: string): object => ({ role: 'user', content });
const history = [user('Fix the parser. '.repeat(40)), { role: 'assistant', content: 'I look. '.repeat(40) }];

/** Blanks cost nothing, so that a summary of many is not refused for its length. */
const count = (text: string): number => text.replaceAll(' ', '').length;

/** What a model's answer comes to: the summary, or the code under which it was refused. */
const summarised = (model: SummaryModel): Promise<string> =>
  generateSummary(history, { model, count }).then(
    ({ content }) => content,
    (error: unknown) => {
      if (error instanceof SummaryError) return error.code;
      throw error;
    },
  );
const answered = (answer: string): Promise<string> => summarised(() => Promise.resolve(answer));
const failed = (message: string): Promise<string> => summarised(() => Promise.reject(new Error(message)));
const continued = async (previous: string): Promise<string> => {
  const list = [user(`[Summary of the earlier conversation]\n${previous}`), ...history];
  return (await generateSummary(list, { count })).content;
};

const refused = (refusal: string): Promise<string> =>
  Promise.resolve(repair(history, 'anthropic-messages', { refusal }).report.verdict);

/** The shortest of three runs. */
async function timeOf(work: () => Promise<string>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const start = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

const blanks = ' '.repeat(20_000);
const times = (text: string, factor: number): string => text.repeat(factor);

describe('four times the text takes far less than sixteen times the time', () => {
  test.each<[string, (factor: number) => Promise<string>]>([
    ['an answer with many blanks', (factor) => answered(`done${times(blanks, factor)}x`)],
    ['an answer of many lines', (factor) => answered(`done${times('\n'.repeat(20_000), factor)}x`)],
    ['a heading with many blanks', (factor) => answered(`## Goal\n- a\n# a${times(blanks, factor)}x`)],
    ['an earlier summary with many blanks', (factor) => continued(`# a${times(blanks, factor)}x`)],
    ['an earlier summary with many marks', (factor) => continued(`# a${times('*: '.repeat(7_000), factor)}x`)],
    ['a refusal of one long word', (factor) => refused(times('a'.repeat(5_000), factor))],
    ['an error of many words', (factor) => failed(times('exceed'.repeat(7_000), factor))],
  ])('%s', async (_, work) => {
    const once = await timeOf(() => work(1));
    const four = await timeOf(() => work(4));
    // Below 20 ms the clock and the collector decide.
    expect(four).toBeLessThan(8 * Math.max(once, 20));
  });
});

const some = (random: Random, from: readonly string[]): string =>
  Array.from({ length: random.below(4) }, () => random.pick(from)).join('');
const space = [' ', '\t', '\u00A0', '\uFEFF', '\u2028'];

test(`headings are known by the same spellings as before (seed ${seed})`, async () => {
  const met = new Set<boolean>();
  for (let index = 0; index < 300; index += 1) {
    const random = startRandom(seedAt(seed, index));
    const name = random.pick(['Decisions', 'decisions', 'DECISIONS', 'Decisions made']);
    const [before, after] = [some(random, space), some(random, [':', '*', 'x', ...space])];
    const heading = `${random.pick(['#', '##', '###'])}${before}${name}${after}`;
    const title = heading
      .replace(/^#+\s*/, '')
      .replace(/[:*\s]+$/, '')
      .toLowerCase();
    const isKnown = title === 'decisions';
    const content = await continued(`${heading}\n- kept`);
    expect([heading, content.includes('## Decisions\n- kept')]).toEqual([heading, isKnown]);
    met.add(isKnown);
  }
  expect(met).toEqual(new Set([true, false]));
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test(`the JSON of an error is known inside the same fences as before (seed ${seed})`, async () => {
  const met = new Set<boolean>();
  for (let index = 0; index < 300; index += 1) {
    const random = startRandom(seedAt(seed, index));
    const white = ['\n', ...space];
    const [before, after] = [some(random, white), some(random, white)];
    const end = random.pick(['', '```', '``', '```x']);
    const answer = `${random.pick(['', '```', '```json'])}${before}{"error":1}${after}${end}`;
    const bare = answer
      .trim()
      .replace(/^```(?:json)?\s*/, '')
      .replace(/\s*```$/, '');
    const isError = isJson(bare);
    expect([answer, (await answered(answer)) === 'error-text']).toEqual([answer, isError]);
    met.add(isError);
  }
  expect(met).toEqual(new Set([true, false]));
});

test.each([
  ['prompt exceeds the context window', 'overflow'],
  ['this exceeded the limit', 'overflow'],
  ['tokens exceed maximum', 'overflow'],
  ['exceeding the model', 'overflow'],
  ['socket hang up', 'model-failed'],
])('an error that says %j is told as %s', async (message, code) => {
  expect(await failed(message)).toBe(code);
});
