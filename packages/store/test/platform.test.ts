import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { aliveBeside, sharedSystemAt, thisProcess } from '../src/platform.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));

test('differences between systems are in one file', () => {
  const words = /process\.platform|\/proc\/|O_NOFOLLOW|O_NONBLOCK|statfs|fullfsync|os\.platform|node:os/;
  const files = globSync('**/*.ts', { cwd: source });
  expect(files.filter((file) => words.test(readFileSync(`${source}/${file}`, 'utf8')))).toEqual(['platform.ts']);
});

test('this process is alive, and one with the same pid and another start time is not', () => {
  const self = thisProcess();
  expect(aliveBeside(self, { id: 'x', ...self })).not.toBe(false);
  expect(aliveBeside(self, { id: 'x', ...self, host: 'elsewhere' })).toBe(undefined);
  const boot = self.started.split('.')[0] ?? '';
  const other = aliveBeside(self, { id: 'x', ...self, started: `${boot}.1` });
  expect(other).toBe(process.platform === 'linux' ? false : undefined);
  expect(sharedSystemAt(source)?.certain).not.toBe(true);
});
