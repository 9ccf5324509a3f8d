import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { endChildren, interrupted, onInterrupt, showProgress } from '../../../../../tools/long-run.ts';
import { contest } from '../../kills/contend.ts';
import { countOf } from '../../kills/count.ts';
import { killOften } from '../../kills/kill-often.ts';
import { cutEverywhere, cutHeader, cutWithHead } from './cuts.ts';
import { cutPowerEverywhere, failEveryCall } from './faults.ts';
import { stopEveryMend } from './mends.ts';
import { powerCuts } from './power-cut.ts';
import { fightOften } from './rivals.ts';
import { flipBits, haveAccidents, mendEach } from './rot.ts';
import type { Tally } from './world.ts';

const help = `npm run torture -- --driver file [--quick] [--count <n>] [--only <name>]
  Everything that can happen to a log, with what was counted. Ends with 1 when anything was lost, altered, or not told.
  --quick  a tenth of it
  --count  no step does more than so many of its things
  --only   one of the steps that are listed by the run`;

const { values } = parseArgs({
  options: {
    driver: { type: 'string', default: 'file' },
    quick: { type: 'boolean', default: false },
    count: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const less = values.quick ? 10 : 1;
const count = values.count === undefined ? Infinity : countOf(values.count);
const most = (usual: number): number => Math.min(Math.ceil(usual / less), count);
/** For sampled steps, n is large enough for a useful share. */
const every = (usual: number, all: number): number => Math.max(usual, Math.ceil(all / count));
const root = mkdtempSync(join(tmpdir(), 'rethread-torture-'));

/** Steps by name. Each counts its work and throws at the first violation. */
const steps: Readonly<Record<string, (tally: Tally) => Promise<unknown>>> = {
  cuts: (tally) => cutEverywhere(most(300_000), tally),
  'first-line': cutHeader,
  'cuts-with-head': cutWithHead,
  flips: (tally) => flipBits(tally, { bytes: 65_536, step: every(values.quick ? 11 : 1, 65_536 * 8) }),
  accidents: (tally) => haveAccidents(most(300_000), tally),
  mending: (tally) => mendEach(most(2_000), tally),
  'mending-stopped': (tally) => stopEveryMend(tally, { first: 1, second: every(values.quick ? 11 : 1, 150) }),
  'failing-calls': (tally) => failEveryCall(tally, every(values.quick ? 5 : 1, 500)),
  'power-cuts': (tally) => cutPowerEverywhere(tally, Math.min(values.quick ? 8 : 64, count)),
  fights: (tally) => fightOften(most(5_000), tally),
  kills: (tally) => note(tally, killOften(`file:${join(root, 'kills')}`, most(500))),
  processes: async (tally) => {
    for (const processes of [2, 4, 8]) {
      await note(tally, contest(`file:${join(root, 'contest')}`, processes, values.quick ? 2_000 : most(80_000) / 10));
    }
  },
  'real-power-cuts': (tally) => powerCuts(root, Math.min(values.quick ? 3 : 20, count), tally),
};

async function note(tally: Tally, work: Promise<Readonly<Record<string, number>>>): Promise<void> {
  for (const [name, value] of Object.entries(await work)) tally[name] = (tally[name] ?? 0) + value;
}

const lineOf = (name: string, tally: Tally): string =>
  `${name}: ${Object.entries(tally)
    .map(([what, value]) => `${what} ${value}`)
    .join(' · ')}`;

async function problemIn(name: string, tally: Tally): Promise<string | undefined> {
  using _ = showProgress(() => lineOf(name, tally));
  try {
    await steps[name]?.(tally);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

async function run(): Promise<number> {
  let failed = 0;
  for (const name of Object.keys(steps)) {
    if (values.only !== undefined && values.only !== name) continue;
    const tally: Tally = {};
    const started = performance.now();
    const problem = await problemIn(name, tally);
    if (problem !== undefined) {
      failed += 1;
      process.stdout.write(`${name}: FAILED: ${problem}\n`);
    }
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    process.stdout.write(`${lineOf(name, tally)} (${seconds} s)\n`);
  }
  process.stdout.write(
    failed === 0
      ? '0 acknowledged lost, 0 altered, 0 silent, 0 errors of another kind\n'
      : `${failed} steps found a violation\n`,
  );
  return failed === 0 ? 0 : 1;
}

if (values.help) process.stdout.write(`${help}\n`);
else {
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  onInterrupt(() => {
    endChildren();
    process.exit(interrupted);
  });
  process.exitCode = await run();
}
