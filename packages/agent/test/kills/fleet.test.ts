import { expect, test } from 'vitest';

import { freshDatabase } from '../../../store/test/postgres-server.ts';
import { finishTogether } from './fleet.ts';
import { report } from './kill-often.ts';

test('four workers on one PostgreSQL resume what killed ones left, and every session finishes once', async () => {
  const tally = await finishTogether(await freshDatabase(), { workers: 4, sessions: 60, kills: 12, seed: 3 });
  process.stdout.write(`workers: ${report(tally)}\n`);
  expect(tally).toMatchObject({ sessions: 60, kills: 12, refused: 0 });
}, 600_000);
