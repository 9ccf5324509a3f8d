import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { contest } from './contend.ts';
import { killOften } from './kill-often.ts';

const root = mkdtempSync(join(tmpdir(), 'rethread-kills-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a hundred writers of an SQLite file are killed at work, and no acknowledged record is lost', async () => {
  const { kills, acknowledged } = await killOften(`sqlite:${join(root, 'killed.db')}`, 100);
  expect(kills).toBe(100);
  expect(acknowledged).toBeGreaterThan(500);
}, 600_000);

test.each([2, 8])(
  '%i processes with expiring leases, stopped and continued, write one log in an SQLite file',
  async (processes) => {
    const outcome = await contest(`sqlite:${join(root, 'contest.db')}`, processes, 2_500);
    expect(outcome.acknowledged).toBeGreaterThan(10);
    expect(outcome.stale).toBeGreaterThan(0);
    expect(outcome.conflicts).toBeGreaterThan(0);
    expect(outcome.unnamed).toBe(0);
  },
  120_000,
);
