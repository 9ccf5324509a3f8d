import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { endChildren, interrupted, onInterrupt, showProgress } from '../../../../tools/long-run.ts';
import { contest } from '../kills/contend.ts';
import { countOf } from '../kills/count.ts';
import { killOften } from '../kills/kill-often.ts';

const help = `npm run torture -- --driver sqlite [--count 500]
  Kills writers of an SQLite file, and has processes fight for a session. Ends with 1 when anything was lost.
  --count  how many writers are killed; with few of them, the fights are short too`;

const { values } = parseArgs({
  options: {
    driver: { type: 'string' },
    count: { type: 'string', default: '500' },
    help: { type: 'boolean', default: false },
  },
});

async function watch<T>(what: string, work: Promise<T>): Promise<T> {
  using _ = showProgress(() => what);
  return await work;
}

async function torture(folder: string): Promise<void> {
  const count = countOf(values.count);
  const work = killOften(`sqlite:${join(folder, 'killed.db')}`, count);
  const { kills, acknowledged, more } = await watch(`killing ${count} writers`, work);
  process.stdout.write(`${kills} writers killed, ${acknowledged} records acknowledged, 0 lost, ${more} more stored\n`);
  for (const processes of [2, 4, 8]) {
    const fight = contest(`sqlite:${join(folder, 'contest.db')}`, processes, count < 100 ? 1_000 : 10_000);
    const outcome = await watch(`${processes} processes fight for a session`, fight);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
}

if (values.help) process.stdout.write(`${help}\n`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-torture-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  onInterrupt(() => {
    endChildren();
    process.exit(interrupted);
  });
  await torture(folder);
}
