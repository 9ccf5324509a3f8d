import { expect, test } from 'vitest';

import { laySiege, steps } from './postgres/siege.ts';
import { startServer } from './postgres-server.ts';

test('cut at every step and killed, PostgreSQL has every acknowledged record exactly once', async () => {
  const server = await startServer();
  try {
    const outcome = await laySiege({ server, records: 3_000, sessions: 6, workers: 3, seed: 1, kills: 2, life: 20 });
    expect(outcome.anomalies).toEqual([]);
    expect(outcome.damages).toBe(0);
    expect(outcome.acknowledged).toBeGreaterThan(2_000);
    expect(outcome.kills).toBe(2);
    expect(steps.filter((step) => !outcome.cuts.has(step))).toEqual([]);
  } finally {
    await server.stop();
  }
}, 120_000);
