import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { FRAMEWORKS, type Framework } from './frameworks.ts';
import { killOften, type Tally } from './kill-often.ts';

const help = `npm run torture -- --frameworks [--kills <number>] [--seed <number>] [--only <framework>]
  Kills programs of each framework at random moments (default: 100 times) and after every event of an errand; others
  continue. Prints a table and ends with 1 if something that was shown is lost, a request is refused, or an effect
  happened more often than its tool allows.`;

const { values } = parseArgs({
  options: {
    frameworks: { type: 'boolean', default: true },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'rethread-framework-torture-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const names = (Object.keys(FRAMEWORKS) as Framework[]).filter(
  (name) => values.only === undefined || name === values.only,
);

function rowOf(framework: string, when: string, { kills, sessions, requests, effects, refused }: Tally): string {
  return `| ${[framework, when, kills, sessions, requests, refused.length, effects, 0, 0].join(' | ')} |`;
}

if (values.help || names.length === 0 || !/^[1-9]\d*$/.test(values.kills) || !/^\d+$/.test(values.seed)) {
  process.stdout.write(`${help}\n`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const seed = Number(values.seed);
  process.stdout.write('| framework | killed | kills | sessions | requests | refused | effects | lost | twice |\n');
  process.stdout.write('|---|---|---|---|---|---|---|---|---|\n');
  for (const framework of names) {
    const plans = [
      ['at random moments', Number(values.kills)],
      ['after every event', 'at every event'],
    ] as const;
    for (const [when, kills] of plans) {
      const store = `file:${join(folder, `${framework}-${when.replaceAll(' ', '-')}`)}`;
      const tally = await killOften({ framework, store, seed, kills });
      process.stdout.write(`${rowOf(framework, when, tally)}\n`);
      if (tally.refused.length > 0) {
        process.stdout.write(`${tally.refused.join('\n')}\n`);
        process.exitCode = 1;
      }
    }
  }
}
