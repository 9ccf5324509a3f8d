import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { runCorpus } from './run.ts';

const root = resolve(import.meta.dirname, '../../../..');
const shared = [process.env['RETHREAD_SHARED'], join(root, 'shared'), join(root, '../shared')].find(
  (folder) => folder !== undefined && existsSync(join(folder, 'corpus')),
);

if (shared === undefined || (process.env['RETHREAD_SHARED'] ?? shared) !== shared) {
  process.stderr.write('There is no corpus here: set RETHREAD_SHARED to the folder that holds it.\n');
  process.exitCode = process.env['RETHREAD_SHARED'] === undefined ? 0 : 1;
} else {
  const { rows, problems, reasons } = await runCorpus(shared);
  console.table(Object.fromEntries(rows.map(({ tool, counts }) => [tool, counts])));
  for (const [reason, count] of reasons) process.stdout.write(`${count} requests differ: ${reason}\n`);
  for (const problem of problems) process.stdout.write(`problem: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
