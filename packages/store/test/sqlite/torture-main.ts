import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { contest } from '../kills/contend.ts';
import { killOften } from '../kills/kill-often.ts';

const { values } = parseArgs({
  options: { driver: { type: 'string' }, kills: { type: 'string', default: '500' } },
});

const folder = mkdtempSync(join(tmpdir(), 'rethread-torture-'));
try {
  const { kills, acknowledged, more } = await killOften(`sqlite:${join(folder, 'killed.db')}`, Number(values.kills));
  process.stdout.write(`${kills} writers killed, ${acknowledged} records acknowledged, 0 lost, ${more} more stored\n`);
  for (const processes of [2, 4, 8]) {
    const outcome = await contest(`sqlite:${join(folder, 'contest.db')}`, processes, 10_000);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
