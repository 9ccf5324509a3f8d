import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { contest } from './contend.ts';
import { killOften } from './kill-often.ts';

const root = mkdtempSync(join(tmpdir(), 'rethread-kills-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a hundred writers are killed at work, and no acknowledged record is lost', async () => {
  const { kills, acknowledged } = await killOften(`file:${join(root, 'killed')}`, 100);
  expect(kills).toBe(100);
  expect(acknowledged).toBeGreaterThan(500);
}, 600_000);

test.each([2, 5, 8])(
  '%i processes with expiring leases, stopped and continued, write one log',
  async (processes) => {
    const { stale, conflicts, unnamed, acknowledged } = await contest(
      `file:${join(root, 'contest')}`,
      processes,
      4_000,
    );
    expect(acknowledged).toBeGreaterThan(0);
    expect(stale).toBeGreaterThan(0);
    expect(conflicts).toBeGreaterThan(0);
    expect(unnamed).toBe(0);
  },
  120_000,
);
