import { expect, test } from 'vitest';
import { check, convert } from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { unfounded, unlisted } from '../convert-audit.ts';
import { dialects, healthy, inputOf, sampleAt } from '../fuzz/histories.ts';
import { hostileValues } from '../fuzz/hostile-values.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { deepFreeze } from '../fuzz/reading.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261115);
const healthyRuns = 12;
const brokenRuns = 25;
const pairs = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from, to] as const));

test.each(pairs)(`%s to %s and back: nothing is lost that is not listed (seed ${seed})`, (from, to) => {
  for (let run = 0; run < healthyRuns; run += 1) {
    const own = seedAt(seed, run);
    const input = inputOf(healthy(from, startRandom(own)));
    deepFreeze(input);
    const there = convert(input, { from, to });
    const back = convert(there.output, { from: to, to: from });
    expect([own, check(there.output, to).verdict, judge(to, there.output)]).toEqual([own, 'clean', []]);
    expect([own, check(back.output, from).verdict]).toEqual([own, 'clean']);
    expect([own, unlisted(input, there, back)]).toEqual([own, []]);
    expect([own, unfounded(input, there, (marked) => convert(marked, { from, to }))]).toEqual([own, []]);
    expect([own, convert(input, { from, to })]).toEqual([own, there]);
  }
});

test.each(pairs)(`%s to %s: what is broken is sendable there as well (seed ${seed})`, (from, to) => {
  for (let run = 0; run < brokenRuns; run += 1) {
    const { seed: own, input } = sampleAt(seedAt(seed, run), from);
    const { output, report } = convert(input, { from, to });
    if (report.findings.some(({ rule }) => rule === 'dialect-unknown')) continue;
    expect([own, check(output, to).verdict, judge(to, output)]).toEqual([own, 'clean', []]);
  }
});

test.each(dialects.map((dialect) => [dialect] as const))('%s: no hostile value makes a conversion throw', (from) => {
  const others = dialects.filter((to) => to !== from);
  for (const value of hostileValues) {
    for (const [index, to] of others.entries()) {
      const made = value.make();
      const input = index % 2 === 0 ? [made] : { messages: [made], contents: [made], input: [made], tools: made };
      expect(() => convert(input, { from, to })).not.toThrow();
      expect(() => convert(made, { to })).not.toThrow();
    }
  }
});

test('a dialect that is not known is a finding', () => {
  const { report, losses } = convert('nothing', { to: 'gemini' });
  expect([report.verdict, report.findings[0]?.rule, losses]).toEqual(['broken', 'dialect-unknown', []]);
});
