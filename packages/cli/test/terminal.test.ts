import { afterEach, describe, expect, test, vi } from 'vitest';

import { nearest } from '../src/terminal/nearest.ts';
import { createOutput, readTerminal } from '../src/terminal/output.ts';
import { table, wrap } from '../src/terminal/wrap.ts';

describe('wrap', () => {
  test('breaks between words and indents what follows', () => {
    expect(wrap('one two three four five six seven', 2, 22)).toBe('one two three four\n  five six seven');
  });

  test('leaves a line whole where there is no terminal', () => {
    expect(wrap('one two three four five six seven', 2, undefined)).toBe('one two three four five six seven');
  });

  test('leaves a word that is longer than the line whole', () => {
    expect(wrap(`a ${'b'.repeat(40)} c`, 0, 20)).toBe(`a\n${'b'.repeat(40)}\nc`);
  });
});

test('a table has columns as wide as their widest cell', () => {
  const rows = [
    ['rule', 'breach'],
    ['a-long-name', 'x'],
    ['b', 'y'],
  ];
  expect(table(rows, undefined)).toEqual(['rule         breach', 'a-long-name  x', 'b            y']);
});

test('a table may have more rows than a call takes arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [`${index}`, 'x']);
  expect(table(rows, undefined).at(-1)).toBe('199999  x');
});

test('characters that take two columns, or none, are counted as what they take', () => {
  const rows = [
    ['会話', 'x'],
    ['cafe\u0301', 'y'],
    ['👩‍💻🇩🇪ok', 'z'],
  ];
  expect(table(rows, undefined)).toEqual(['会話    x', 'cafe\u0301    y', '👩‍💻🇩🇪ok  z']);
  expect(wrap('会話会話会話 会話会話', 0, 20)).toBe('会話会話会話\n会話会話');
});

describe('nearest', () => {
  const names = ['call-without-result', 'result-without-call', 'empty-text', 'torn-last-line'];

  test.each([
    ['call-without-reslut', 'call-without-result'],
    ['empty', 'empty-text'],
    ['torn-lastline', 'torn-last-line'],
  ])('for %s begins with %s', (asked, expected) => {
    expect(nearest(asked, names)[0]).toBe(expected);
  });

  test('gives nothing for a word that is like none of them', () => {
    expect(nearest('zzzzzz', names)).toEqual([]);
  });
});

describe('colours', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    { wants: true, env: { FORCE_COLOR: '1' }, color: true },
    { wants: false, env: { FORCE_COLOR: '1' }, color: false },
    { wants: true, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, color: false },
    { wants: true, env: { FORCE_COLOR: '0' }, color: false },
  ])('are $color for $env and --color $wants', ({ wants, env, color }) => {
    vi.stubEnv('NO_COLOR', '');
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(readTerminal(wants).color).toBe(color);
  });

  test('are put around the text only when wanted', () => {
    expect(createOutput({ color: true, progress: false }).tone('red', 'x')).toBe('\u001B[31mx\u001B[39m');
    expect(createOutput({ color: false, progress: false }).tone('red', 'x')).toBe('x');
  });
});
