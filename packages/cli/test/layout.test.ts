import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bytesText, shareText, spanText } from '../src/terminal/amounts.ts';
import { columnsOf } from '../src/terminal/columns.ts';
import { fit, pad, padLeft } from '../src/terminal/fit.ts';
import { createProgress } from '../src/terminal/progress.ts';
import { bundleCommand, createFolder, run } from './command.ts';

bundleCommand();

describe('amounts', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [9990, '10 kB'],
    [999_600, '1.0 MB'],
    [5_368_709_120, '5.4 GB'],
    [7e15, '7000 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));

  test.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000 * 23, '23 h'],
    [86_400_000 * 364, '364 d'],
    [86_400_000 * 365 * 30, '30 y'],
  ])('%d ms are %s', (ms, text) => expect(spanText(ms)).toBe(text));

  test('a loss never shows as 100 %', () => {
    expect([shareText(1), shareText(0.9999), shareText(0)]).toEqual(['100 %', '99 %', '0 %']);
  });
});

describe('texts are cut and filled by columns', () => {
  test.each(['plain text that is long', '日本語のとても長いタイトル', 'e\u0301e\u0301 👩‍👩‍👧‍👦👩‍👩‍👧‍👦 end'])('%s', (text) => {
    for (let columns = 2; columns < 30; columns += 1) {
      const cut = fit(text, columns);
      expect(columnsOf(cut)).toBeLessThanOrEqual(columns);
      expect(cut.endsWith('…')).toBe(columnsOf(text) > columns);
      expect([columnsOf(pad(cut, 30)), columnsOf(padLeft(cut, 30))]).toEqual([30, 30]);
    }
  });
});

describe('progress', () => {
  const collect = (total?: number): { at: (time: number, done: number) => void; end: () => void; shown: string[] } => {
    const shown: string[] = [];
    let now = 0;
    const output = { progress: (text: string) => void shown.push(text) };
    const given = total === undefined ? {} : { total };
    const progress = createProgress(output, { what: 'reading', unit: 'bytes', clock: () => now, ...given });
    const at = (time: number, done: number): void => {
      now = time;
      progress.at(done);
    };
    return { at, end: progress.end, shown };
  };

  test('shows rate and time left after a second, and not more than ten times a second', () => {
    const { at, end, shown } = collect(10e6);
    at(500, 1e6);
    at(999, 2e6);
    expect(shown).toEqual([]);
    at(2000, 4e6);
    at(2050, 5e6);
    expect(shown).toEqual(['reading ██████▍░░░░░░░░░ 40 %, 2.0 MB/s, 3 s left']);
    end();
    expect(shown.at(-1)).toBe('');
  });

  test('says how much is done where nobody knows how much there is, and nothing when it was quick', () => {
    const { at, end, shown } = collect();
    end();
    expect(shown).toEqual([]);
    at(4000, 8e6);
    expect(shown).toEqual(['reading: 8.0 MB, 2.0 MB/s']);
  });
});

describe('completion', () => {
  const folder = createFolder();

  test('bash completes commands, their options, and commands of a store', async () => {
    const { code, stdout } = await run(['completion', 'bash']);
    expect(code).toBe(0);
    const path = join(folder, 'rethread.bash');
    writeFileSync(path, stdout);
    const complete = (...words: string[]): string[] => {
      const ask = 'COMP_WORDS=(rethread "$@"); COMP_CWORD=$#; _rethread';
      const script = `source "$0"; ${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script, path, ...words], { encoding: 'utf8' })
        .trim()
        .split('\n');
    };
    expect(complete('doc')).toEqual(['doctor']);
    expect(complete('doctor', '--und')).toEqual(['--undo']);
    expect(complete('check', '--und')).toEqual(['--undo']);
    expect(complete('doctor', 'las')).toContain('last');
    expect(complete('store', 'for')).toEqual(['fork']);
    expect(complete('store', 'fork', '--a')).toContain('--at');
  });

  test.each(['zsh', 'fish'])('%s gets a script that knows every command', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['doctor', 'search', 'compact', 'store']) expect(stdout).toContain(name);
    expect(stdout).toContain(shell === 'fish' ? '-l undo' : '--undo');
  });

  test('another shell is refused', async () => {
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
  });
});

describe('a command that is not there', () => {
  test.each([
    ['repair', 'try rethread doctor --fix'],
    ['fix', 'try rethread doctor --fix'],
    ['docter', 'try rethread doctor'],
    ['serch', 'try rethread search or rethread serve'],
    ['xyzzy', 'rethread --help lists the commands'],
  ])('%s: %s', async (word, advice) => {
    for (const args of [[word], [word, '--help'], ['--no-color', word, 'x']]) {
      const ended = await run(args);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toBe(`rethread: unknown command '${word}'; ${advice}\n`);
    }
  });

  test('check and validate are the doctor, ls is the list, and errors name the help of their command', async () => {
    for (const word of ['check', 'validate']) {
      expect((await run([word, '--help'])).stdout).toContain('Usage: rethread doctor');
      expect((await run([word, '--nope'])).stderr).toContain('Try rethread doctor --help.');
    }
    expect((await run(['ls', '--help'])).stdout).toContain('Usage: rethread list');
    expect((await run(['-v'])).stdout).toBe((await run(['--version'])).stdout);
  });
});
