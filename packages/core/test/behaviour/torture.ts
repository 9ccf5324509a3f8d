import { spawn } from 'node:child_process';
import { root } from './bundles.ts';
import expected from './torture.json' with { type: 'json' };

/** What is counted by each step; `some` is above zero, and `any` differs from run to run. */
type Tallies = Readonly<Record<string, Readonly<Record<string, number | string>>>>;

const NOTHING_LOST = '0 acknowledged lost, 0 altered, 0 silent, 0 errors of another kind';

/** A line such as `flips: bits flipped 20 (0.0 s)`. */
function tallyIn(line: string): readonly [step: string, tally: Record<string, number>] | undefined {
  const [, step, counts] = /^([\w-]+): (.*) \([\d.]+ s\)$/.exec(line) ?? [];
  if (step === undefined || counts === undefined) return undefined;
  const pairs = counts.split(' · ').map((count) => /^(.*) (\d+)$/.exec(count) ?? []);
  return [step, Object.fromEntries(pairs.map(([, what = counts, value]) => [what, Number(value)]))];
}

const fits = (wanted: number | string | undefined, value: number | undefined): boolean => {
  if (value === undefined || wanted === undefined) return wanted === value;
  return wanted === 'any' || (wanted === 'some' ? value > 0 : wanted === value);
};

/** Every count that is not as it was; all kinds of both are looked at. */
export function tallyDifferences(output: string, recorded: Tallies): string[] {
  const lines = output.trim().split('\n');
  const found: Record<string, Record<string, number>> = Object.fromEntries(
    lines.map(tallyIn).filter((tally) => tally !== undefined),
  );
  const steps = [...new Set([...Object.keys(recorded), ...Object.keys(found)])];
  const differing = steps.flatMap((step) => {
    const [wanted = {}, tally = {}] = [recorded[step], found[step]];
    return [...new Set([...Object.keys(wanted), ...Object.keys(tally)])]
      .filter((what) => !fits(wanted[what], tally[what]))
      .map((what) => `${step}: ${what} was ${wanted[what] ?? 'absent'} and is ${tally[what] ?? 'absent'}`);
  });
  const last = lines.at(-1) ?? '';
  return last === NOTHING_LOST ? differing : [...differing, `the last line was "${NOTHING_LOST}" and is "${last}"`];
}

/** Runs the torture of the file driver for a short look, and compares what it counted with what is on record. */
export async function compareTorture(): Promise<number> {
  const args = ['tools/torture.mjs', '--driver', 'file', '--count', '20'];
  const torture = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of torture.stdout.setEncoding('utf8')) {
    process.stdout.write(String(chunk));
    output += String(chunk);
  }
  const differing = tallyDifferences(output, expected);
  for (const line of differing) process.stdout.write(`${line}\n`);
  process.stdout.write(`${String(differing.length)} differences from torture.json\n`);
  return differing.length > 0 || torture.exitCode !== 0 ? 1 : 0;
}
