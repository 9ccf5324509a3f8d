import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alphabetOf } from '../fuzz/alphabets.ts';
import type { Tally } from '../fuzz/campaign.ts';
import { KNOWN_DISAGREEMENTS } from '../fuzz/disagreements.ts';
import { countOf } from '../fuzz/exhaustive.ts';
import { defectsOf, dialects } from '../fuzz/histories.ts';

const main = fileURLToPath(new URL('../fuzz/main.ts', import.meta.url));
const minutes = 60_000;

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the fuzz command as a user would. */
const run = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });

/** What a run found, with its seed printed so that it can be repeated. */
async function fuzz(...args: string[]): Promise<Tally & { status: number }> {
  // Other tests run beside this one and take the other core.
  const { status, stdout, stderr } = await run('--json', '--threads', '1', ...args);
  if (stdout === '') throw new Error(`the fuzz command printed nothing: ${stderr}`);
  const tally = JSON.parse(stdout) as Tally & { seed: number; seconds: number };
  const seeded = args.includes('--exhaustive') ? '' : `seed ${tally.seed}, `;
  process.stderr.write(`fuzz ${args.join(' ')}: ${seeded}${tally.histories} histories in ${tally.seconds} s\n`);
  return { ...tally, status };
}

test(
  '100 000 seeded histories break no promise, and the judge and the rules differ only where it is explained',
  { timeout: 10 * minutes },
  async () => {
    const tally = await fuzz('--count', '100000', '--seed', process.env['RETHREAD_SEED'] ?? '20261119');
    expect(tally.failures).toEqual([]);
    expect(tally.histories).toBe(100_000);
    expect(tally.status).toBe(0);
    const explained = new Set(tally.explained.map((each) => each.explained));
    expect(KNOWN_DISAGREEMENTS.map(({ name }) => name).filter((name) => !explained.has(name))).toEqual([]);
    const silent = dialects.flatMap((dialect) =>
      defectsOf(dialect)
        .map(({ name }) => `${dialect}: ${name}`)
        .filter((name) => tally.planted[name] === undefined),
    );
    expect(silent, 'defects that were never planted').toEqual([]);
  },
);

/** All histories of the alphabets up to some messages. `npm run torture` takes all dialects to six. */
const exhaustive = [
  { name: 'every dialect', depth: 4, tried: dialects, options: [] },
  { name: 'openai-chat', depth: 5, tried: ['openai-chat'], options: ['--dialect', 'openai-chat'] },
] as const;

test.each(exhaustive)(
  'every history of $name up to $depth messages of the alphabet keeps the promises',
  { timeout: 10 * minutes },
  async ({ depth, tried, options }) => {
    const tally = await fuzz('--exhaustive', '--depth', String(depth), ...options);
    expect(tally.failures).toEqual([]);
    const letters = tried.map((dialect) => alphabetOf(dialect).length);
    expect(Math.min(...letters)).toBeGreaterThanOrEqual(10);
    expect(tally.histories).toBe(letters.reduce((sum, each) => sum + countOf(each, depth), 0));
  },
);

test.each([
  ['--dialect', 'morse'],
  ['--count', 'many'],
])('the fuzz command refuses %s %s with one sentence', async (option, value) => {
  const { status, stderr } = await run(option, value);
  expect(status).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(value);
});
