import { parseArgs } from 'node:util';

import { endChildren, interrupted, onInterrupt, showProgress } from '../../../../tools/long-run.ts';
import { countOf } from '../kills/count.ts';
import { killOften } from '../kills/kill-often.ts';
import { freshDatabase, startServer } from '../postgres-server.ts';
import { torturePostgres } from './torture.ts';

const help = `npm run torture -- --driver postgres [--count 500] [--seed 1]
  Kills writers, then cuts connections at every step of the protocol and kills the server while others append. Ends
  with 1 when an acknowledged record is not there exactly once.
  --count  how many writers are killed; 200 records are appended under siege for each of them
  --seed   repeats a run`;

const { values } = parseArgs({
  options: {
    driver: { type: 'string' },
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

async function watch<T>(kills: number, work: Promise<T>): Promise<T> {
  using _ = showProgress(() => `killing ${kills} writers`);
  return await work;
}

async function killWriters(kills: number): Promise<void> {
  const server = await startServer();
  try {
    const { acknowledged, more } = await watch(kills, killOften(await freshDatabase(server.url), kills));
    process.stdout.write(
      `${kills} writers killed, ${acknowledged} records acknowledged, 0 lost, ${more} more stored\n`,
    );
  } finally {
    await server.stop();
  }
}

async function run(count: number): Promise<number> {
  await killWriters(count);
  const kills = Math.max(1, Math.round(count / 25));
  return (await torturePostgres({ records: count * 200, kills, seed: Number(values.seed) })) ? 0 : 1;
}

if (values.help) process.stdout.write(`${help}\n`);
else {
  onInterrupt(() => {
    endChildren();
    // The server ends with the process that started it.
    process.exit(interrupted);
  });
  process.exitCode = await run(countOf(values.count));
}
