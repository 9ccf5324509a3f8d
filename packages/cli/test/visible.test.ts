import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { excerpt, shellName, visible, visibleJson } from '../src/terminal/visible.ts';

// Written apart from the table in the source: by Unicode category, plus the few format characters that text needs.
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

const units = fc.string({ unit: 'binary', maxLength: 80 });
const hostile = fc.constantFrom(
  '\u001B]52;c;cm0gLXJm\u0007',
  '\u001B]8;;http://a\u001B\\x',
  '\u001Bc',
  '\u009B31m',
  'a\rb',
  '\u202E',
  '\u2066',
  '\u200F',
  '\u061C',
  '\u2028',
  '\u2029',
  '\u007F',
  '\uD800',
  '\uDC00x',
  '\u0000',
  '\n',
);
const texts = fc.array(fc.oneof(units, hostile), { maxLength: 12 }).map((parts) => parts.join(''));

describe('visible', () => {
  test('lets no control character, separator, bidirectional control or lone surrogate through', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(obeyed.test(visible(text))).toBe(false);
        expect(obeyed.test(excerpt(text, 20))).toBe(false);
        expect(obeyed.test(shellName(text))).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test('lets none through for any single code unit or code point', () => {
    const passed: number[] = [];
    for (let point = 0; point <= 0x10_ffff; point += 1) {
      if (obeyed.test(visible(String.fromCodePoint(point)))) passed.push(point);
    }
    expect(passed).toEqual([]);
  });

  test('keeps ordinary text of any script as it is', () => {
    for (const text of ['plain text', 'Grüße, 世界, مرحبا, שלום', '👩‍🚀 and 🏳️‍🌈', 'a\\b "c" `d`']) {
      expect(visible(text)).toBe(text);
    }
  });

  test.each([
    ['\u001B[31m', String.raw`\x1b[31m`],
    ['a\r\nb\tc', String.raw`a\r\nb\tc`],
    ['\u009B', String.raw`\x9b`],
    ['\u202Eexe', String.raw`\u202eexe`],
    ['\uD83D', String.raw`\ud83d`],
    ['\u{E0041}', String.raw`\u{e0041}`],
  ])('shows %j as %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe('visibleJson', () => {
  test('gives text without control characters that parses back to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
        const text = visibleJson(value, 2);
        expect(obeyed.test(text.replaceAll('\n', ''))).toBe(false);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('excerpt', () => {
  test('counts what it leaves out and never cuts a character in two', () => {
    expect(excerpt('abcdef', 6)).toBe('abcdef');
    expect(excerpt('abcdefg', 3)).toBe('abc … (4 more characters)');
    expect(excerpt('ab👩cd', 3)).toBe('ab … (4 more characters)');
  });
});

describe('shellName', () => {
  test.each([
    ['sessions/a-1.jsonl', 'sessions/a-1.jsonl'],
    ['my session.json', "'my session.json'"],
    ["it's.json", String.raw`'it'\''s.json'`],
    ['-rf', '<file>'],
    ['a\u001Bb', '<file>'],
  ])('writes %j as %s', (path, shown) => {
    expect(shellName(path)).toBe(shown);
  });
});
