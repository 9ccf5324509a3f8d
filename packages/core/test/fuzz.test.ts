import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alphabetOf } from './fuzz/alphabets.ts';
import type { Tally } from './fuzz/campaign.ts';
import { countOf } from './fuzz/exhaustive.ts';
import { defectsOf, dialects } from './fuzz/histories.ts';

const main = fileURLToPath(new URL('fuzz/main.ts', import.meta.url));
const minutes = 60_000;

/** Runs the fuzz command as a user would, and reads its result. */
function fuzz(...args: string[]): Tally & { status: number | null; seed: number; seconds: number } {
  const ran = spawnSync(process.execPath, [main, '--json', ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  assert(ran.stdout !== '', `the fuzz command printed nothing: ${ran.stderr}`);
  const tally = { ...(JSON.parse(ran.stdout) as Tally & { seed: number; seconds: number }), status: ran.status };
  process.stderr.write(
    `fuzz ${args.join(' ')}: seed ${tally.seed}, ${tally.histories} histories in ${tally.seconds} s\n`,
  );
  return tally;
}

test('100 000 seeded histories break no promise', { timeout: 5 * minutes }, () => {
  const tally = fuzz('--count', '100000', '--seed', process.env['RETHREAD_SEED'] ?? '20261115');
  expect(tally.failures).toEqual([]);
  expect(tally.histories).toBe(100_000);
  expect(tally.status).toBe(0);
  const silent = dialects.flatMap((dialect) =>
    defectsOf(dialect)
      .map(({ name }) => `${dialect}: ${name}`)
      .filter((name) => tally.planted[name] === undefined),
  );
  expect(silent, 'defects that were never planted').toEqual([]);
});

const depths = [
  ['anthropic-messages', 6],
  ['openai-chat', 5],
  ['pydantic-ai', 5],
] as const;

test.each(depths)(
  'every history of %s up to %i messages of the alphabet keeps the promises',
  { timeout: 5 * minutes },
  (dialect, depth) => {
    const tally = fuzz('--exhaustive', '--dialect', dialect, '--depth', String(depth));
    expect(tally.failures).toEqual([]);
    expect(tally.histories).toBe(countOf(alphabetOf(dialect).length, depth));
    expect(alphabetOf(dialect).length).toBeGreaterThanOrEqual(10);
  },
);

test('the fuzz command refuses an unknown dialect and a count that is no number', () => {
  for (const args of [
    ['--dialect', 'morse'],
    ['--count', 'many'],
  ]) {
    const ran = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain(args[1]);
  }
});
