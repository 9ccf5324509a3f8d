import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Tally } from '../fuzz/campaign.ts';
import { dialects } from '../fuzz/histories.ts';
import { longHistory, type LongHistory } from '../fuzz/long-histories.ts';
import { seedAt } from '../fuzz/random.ts';
import { refusalOf } from '../fuzz/slices.ts';

const main = fileURLToPath(new URL('../fuzz/main.ts', import.meta.url));
const seed = process.env['RETHREAD_SEED'] ?? '20261119';
const count = 20_000;

/** Runs the fuzz command as a user would. */
const run = (...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [main, '--json', ...args], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(`the fuzz command printed nothing: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });

test(
  'of 20 000 accepted histories every slice is accepted, no pair is split, and what is pruned or filtered is accepted',
  { timeout: 600_000 },
  async () => {
    const tally = JSON.parse(
      await run('--compaction', '--threads', '1', '--count', `${count}`, '--seed', seed),
    ) as Tally & {
      seconds: number;
    };
    process.stderr.write(`compaction: seed ${seed}, ${tally.histories} histories in ${tally.seconds} s\n`);
    const told = tally.failures.map((failure) => `${failure.dialect}, seed ${failure.seed}: ${failure.detail}`);
    expect(told).toEqual([]);
    expect(tally.histories).toBe(count);
    expect(dialects.filter((dialect) => (tally.planted[dialect] ?? 0) < count / 40)).toEqual([]);
  },
);

describe('the judge notices a slice by numbers', () => {
  /** Histories of a dialect, until one is refused when it is cut at a place counted from its end. */
  function refusedSlice(dialect: LongHistory['dialect']): string | undefined {
    for (let index = 0; index < 400; index += 1) {
      const history = longHistory(seedAt(1, index), dialect);
      if (history === undefined) continue;
      for (const keep of [1, 2, 3, 4]) {
        const refusal = refusalOf(history.list.slice(-keep), history);
        if (refusal !== undefined) return refusal;
      }
    }
    return undefined;
  }

  // A message of the interface holds its calls and their results, so no slice of these tears a pair.
  const torn = dialects.filter((dialect) => dialect !== 'ai-sdk-ui');
  test.each(torn)('%s', (dialect) => {
    expect(refusedSlice(dialect)).toMatch(/^judge: /);
  });
});
