import { parseArgs } from 'node:util';

import { killOften } from '../kills/kill-often.ts';
import { freshDatabase, startServer } from '../postgres-server.ts';
import { torturePostgres } from './torture.ts';

const { values } = parseArgs({
  options: {
    driver: { type: 'string' },
    records: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '500' },
    restarts: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

async function killWriters(kills: number): Promise<void> {
  const server = await startServer();
  try {
    const { acknowledged, more } = await killOften(await freshDatabase(server.url), kills);
    process.stdout.write(
      `${kills} writers killed, ${acknowledged} records acknowledged, 0 lost, ${more} more stored\n`,
    );
  } finally {
    await server.stop();
  }
}

await killWriters(Number(values.kills));
const sound = await torturePostgres({
  records: Number(values.records),
  kills: Number(values.restarts),
  seed: Number(values.seed),
});
process.exitCode = sound ? 0 : 1;
