import process from 'node:process';
import { parseArgs } from 'node:util';

import { runFuzz } from './run.ts';

const help = `npm run fuzz:formats -- [--count N] [--seed S]
  --count  how many mutated files are read (20000)
  --seed   replays a run; printed when not given
Real sessions are mutated too where RETHREAD_SHARED names the folder that holds them.`;

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string' }, help: { type: 'boolean' } },
});

if (values.help === true) {
  process.stdout.write(`${help}\n`);
} else {
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  process.stdout.write(`seed ${seed}\n`);
  const shared = process.env['RETHREAD_SHARED'];
  const { problems, ...totals } = await runFuzz({ seed, count: Number(values.count), shared });
  console.table(totals);
  for (const problem of problems) process.stdout.write(`problem: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
