import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { freshDatabase } from '../../../store/test/postgres-server.ts';
import { killOften, report } from './kill-often.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-agent-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STORES = [
  { name: 'files', kills: 34, url: async () => `file:${join(folder, 'files')}` },
  { name: 'sqlite', kills: 33, url: async () => `sqlite:${join(folder, 'sessions.db')}` },
  { name: 'postgres', kills: 33, url: () => freshDatabase() },
];

test.each(STORES)(
  'on $name, agents killed $kills times finish: nothing is refused, lost or done twice',
  async ({ name, kills, url }) => {
    const tally = await killOften(await url(), { kills, seed: 7 });
    process.stdout.write(`${name}: ${report(tally)}\n`);
    expect(tally['kills']).toBe(kills);
    expect(tally['refused']).toBe(0);
    expect(tally['sessions']).toBeGreaterThan(3);
  },
  600_000,
);
