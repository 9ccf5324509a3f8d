import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { describe, expect, test } from 'vitest';

import { Gate, createGateState } from '../src/files/gate.ts';
import { holderOf } from '../src/files/holder.ts';
import { type FileSource, openFile } from '../src/files/source.ts';
import { type Swap, swapIn, undo } from '../src/files/swap.ts';
import { createFolder, place } from './command.ts';

const parent = createFolder();
const gate = (): Gate => new Gate(createGateState());

/** Swaps new content in, with whatever else the test does at the moment of verification. */
function swapping(path: string, change: Partial<Swap> = {}): string {
  const source: FileSource = openFile(path);
  try {
    return swapIn({ source, pieces: ['new\n'], token: 'token', gate: gate(), verify: () => {}, ...change });
  } finally {
    source.close();
  }
}

describe('a swap', () => {
  test('keeps mode and time of the file, and the original bytes as a backup', () => {
    const { path, files } = place(parent, 'a.jsonl', 'old\n');
    utimesSync(path, 1_700_000_000, 1_700_000_001.5);
    const before = statSync(path);
    expect(swapping(path)).toBe(`${path}.rethread-backup`);
    expect(readFileSync(path, 'utf8')).toBe('new\n');
    expect(readFileSync(`${path}.rethread-backup`, 'utf8')).toBe('old\n');
    const after = statSync(path);
    expect([after.mode, after.mtimeMs]).toEqual([before.mode, before.mtimeMs]);
    expect(statSync(`${path}.rethread-backup`).mode).toBe(before.mode);
    expect(files()).toEqual(['a.jsonl', 'a.jsonl.rethread-backup']);
  });

  test.each([0o600, 0o640, 0o664])('gives the draft the mode %o before it takes the place', (mode) => {
    const { path } = place(parent, 'a.json', 'old');
    const draft = join(dirname(path), '.rethread-token.tmp');
    writeFileSync(path, 'old', { mode });
    swapping(path, { verify: () => expect(statSync(draft).mode & 0o7777).toBe(statSync(path).mode & 0o7777) });
  });

  test('numbers backups and overwrites none', () => {
    const { path, files } = place(parent, 'a', 'one');
    swapping(path, { pieces: ['two'] });
    swapping(path, { pieces: ['three'] });
    swapping(path, { pieces: ['four'] });
    expect(files()).toEqual(['a', 'a.rethread-backup', 'a.rethread-backup.2', 'a.rethread-backup.3']);
    expect(readFileSync(`${path}.rethread-backup`, 'utf8')).toBe('one');
    expect(readFileSync(`${path}.rethread-backup.3`, 'utf8')).toBe('three');
  });

  test('copies stretches of the original and new text in their order', () => {
    const { path } = place(parent, 'a', '0123456789');
    swapping(path, { pieces: [{ start: 4, end: 6 }, 'é', { start: 0, end: 2 }] });
    expect(readFileSync(path, 'utf8')).toBe('45é01');
  });
});

describe('a swap that fails leaves the file and its folder as they were', () => {
  const failing = (path: string, change: Partial<Swap>, sentence: string): void => {
    expect(() => swapping(path, change)).toThrow(sentence);
  };

  test('when the draft does not pass', () => {
    const { path, files } = place(parent, 'a', 'old');
    const verify = (): void => {
      throw new RangeError('no good');
    };
    failing(path, { verify }, 'could not be repaired on disk: no good; it is unchanged');
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['a'], 'old']);
  });

  test.each<[string, (path: string) => void]>([
    ['was appended to', (path) => writeFileSync(path, 'more', { flag: 'a' })],
    ['was written over', (path) => writeFileSync(path, 'OLD')],
    [
      'was replaced',
      (path) => {
        writeFileSync(`${path}2`, 'old');
        renameSync(`${path}2`, path);
      },
    ],
  ])('when the file %s while we worked', (_, meddle) => {
    const { path, files } = place(parent, 'a', 'old');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    let content = '';
    const verify = (): void => {
      meddle(path);
      content = readFileSync(path, 'utf8');
    };
    failing(path, { verify }, 'changed while it was being repaired');
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['a'], content]);
  });

  test('when a stop was asked for', () => {
    const { path, files } = place(parent, 'a', 'old');
    const closed = gate();
    const verify = (): void => void closed.stop();
    failing(path, { gate: closed, verify }, 'stopped');
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['a'], 'old']);
    failing(path, { gate: closed }, 'a stop was asked for');
    expect(files()).toEqual(['a']);
  });

  test('when something lies where the draft is to be written', () => {
    const { path, files } = place(parent, 'a', 'old');
    const target = join(dirname(path), 'victim');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(dirname(path), '.rethread-token.tmp'));
    expect(() => swapping(path)).toThrow('could not be repaired on disk');
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(files()).toEqual(['.rethread-token.tmp', 'a', 'victim']);
  });

  test('when the file is a symbolic link', () => {
    const { path, files } = place(parent, 'a', 'old');
    const link = join(dirname(path), 'link');
    symlinkSync(path, link);
    failing(link, {}, 'is a symbolic link; name the file it points to');
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['a', 'link'], 'old']);
  });
});

describe('an undo', () => {
  test('puts the newest backup back, byte for byte', () => {
    const { path, files } = place(parent, 'a', 'one\r\n');
    swapping(path, { pieces: ['two'] });
    swapping(path, { pieces: ['three'] });
    expect(undo(path, gate())).toEqual({ backup: `${path}.rethread-backup.2` });
    expect(readFileSync(path, 'utf8')).toBe('two');
    undo(path, gate());
    expect(readFileSync(path, 'utf8')).toBe('one\r\n');
    expect(files()).toEqual(['a']);
    expect(() => undo(path, gate())).toThrow('has no backup to restore');
  });

  test('keeps a version that was written to after the repair', () => {
    const { path, files } = place(parent, 'a', 'one');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    swapping(path, { pieces: ['two'] });
    writeFileSync(path, ' and more', { flag: 'a' });
    expect(undo(path, gate()).kept).toBe(`${path}.rethread-undone`);
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readFileSync(`${path}.rethread-undone`, 'utf8')).toBe('two and more');
    expect(files()).toEqual(['a', 'a.rethread-undone']);
  });

  test('takes no folder and no link for a backup', () => {
    const { path } = place(parent, 'a', 'one');
    mkdirSync(`${path}.rethread-backup`);
    symlinkSync(path, `${path}.rethread-backup.2`);
    writeFileSync(`${path}.rethread-backup.old`, 'x');
    expect(() => undo(path, gate())).toThrow('has no backup to restore');
  });
});

test('two sides of the gate exclude each other', async () => {
  const state = createGateState();
  const outer = new Gate(state);
  expect(outer.swap(() => new Gate(state).stop())).toBe(false);
  expect(outer.stop()).toBe(true);
  expect(() => outer.swap(() => 'done')).toThrow('stopped');
  const source =
    'const { parentPort: port, workerData: state } = require("node:worker_threads"); port.postMessage(state[0]);';
  const worker = new Worker(source, { eval: true, workerData: state });
  const seen = await new Promise((done) => worker.once('message', done));
  expect(seen).toBe(2);
});

test.runIf(process.platform === 'linux')('our own process does not count as one that holds the file open', () => {
  const { path } = place(parent, 'a', 'old');
  const fd = openSync(path, 'r');
  const { dev, ino } = statSync(path, { bigint: true });
  expect(holderOf({ dev, ino })).toBeUndefined();
  closeSync(fd);
});
