import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { alone } from './alone.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rethread-alone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('only one process sets up at a time', () => {
  test('work asked for at once is done one after the other', async () => {
    const log: string[] = [];
    const work = async (name: string): Promise<void> => {
      log.push(`${name} begins`);
      await sleep(20);
      log.push(`${name} ends`);
    };
    await Promise.all([alone(() => work('one'), join(folder, 'a')), alone(() => work('two'), join(folder, 'a'))]);
    expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  test('work that fails lets the next one begin', async () => {
    const lock = join(folder, 'b');
    await expect(alone(() => Promise.reject(new Error('no space')), lock)).rejects.toThrow('no space');
    expect(existsSync(lock)).toBe(false);
  });

  test('a claim that a dead process left behind is taken over', async () => {
    const lock = join(folder, 'c');
    const { pid } = spawnSync(process.execPath, ['--eval', '0']);
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(pid));
    expect(await alone(() => Promise.resolve('done'), lock)).toBe('done');
  });
});
