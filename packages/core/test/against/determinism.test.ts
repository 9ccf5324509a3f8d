import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../fuzz/digest.ts', import.meta.url));
const seed = process.env['RETHREAD_SEED'] ?? '20261115';

function digestOf(flags: readonly string[], env: Record<string, string>): string {
  const ran = spawnSync(process.execPath, [...flags, script, seed, '2000'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

test(`the same histories repair to the same bytes in any process (seed ${seed})`, () => {
  const here = digestOf([], { TZ: 'UTC', LC_ALL: 'C' });
  const elsewhere = digestOf(['--hash-seed=7', '--random-seed=7', '--max-lazy'], {
    TZ: 'Asia/Kathmandu',
    LC_ALL: 'tr_TR.UTF-8',
  });
  expect(here).toMatch(/^[0-9a-f]{64}$/);
  expect(elsewhere).toBe(here);
});
