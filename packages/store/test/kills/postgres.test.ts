import { expect, test } from 'vitest';

import { freshDatabase } from '../postgres-server.ts';
import { contest } from './contend.ts';
import { killOften } from './kill-often.ts';

test('a hundred PostgreSQL writers are killed at work, and no acknowledged record is lost', async () => {
  const { kills, acknowledged } = await killOften(await freshDatabase(), 100);
  expect(kills).toBe(100);
  expect(acknowledged).toBeGreaterThan(500);
}, 600_000);

test.each([2, 8])(
  '%i processes with expiring leases, stopped and continued, write one log in PostgreSQL',
  async (processes) => {
    const outcome = await contest(await freshDatabase(), processes, processes * 800);
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome.stale).toBeGreaterThan(0);
    expect(outcome.conflicts).toBeGreaterThan(0);
    expect(outcome.unnamed).toBe(0);
  },
  120_000,
);
