import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Session, readSession } from '../src/files/read-session.ts';
import { fromChunks } from '../src/files/source.ts';
import { broken, healthy, lines, question, roleless } from './sessions.ts';

const read = (content: string | Uint8Array): Session => readSession(fromChunks([Buffer.from(content)]));

const mark = '\uFEFF';

describe('the form is told by the content', () => {
  const rows: readonly (readonly [string, string, Session['form'], unknown])[] = [
    ['a list on one line', JSON.stringify(healthy), 'json', healthy],
    ['a list laid out', JSON.stringify(healthy, null, 2), 'json', healthy],
    ['a list with a byte order mark and a final newline', `${mark}${JSON.stringify(healthy)}\n`, 'json', healthy],
    ['a body', JSON.stringify({ messages: healthy }, null, '\t'), 'json', { messages: healthy }],
    ['lines', lines(healthy), 'jsonl', healthy],
    ['lines that end in CR LF', lines(healthy, '\r\n'), 'jsonl', healthy],
    ['lines with blank ones between', `\n${lines(healthy, '\n \t\n')}\n\n`, 'jsonl', healthy],
    ['lines after a byte order mark', mark + lines(healthy), 'jsonl', healthy],
    ['lines without a final newline', lines(healthy).trimEnd(), 'jsonl', healthy],
    ['a single message', JSON.stringify(question), 'jsonl', [question]],
    ...roleless.map(
      (message) => [`a single ${JSON.stringify(message)}`, JSON.stringify(message), 'jsonl', [message]] as const,
    ),
    ['a body with one text', '{"model":"gpt-5","input":"hi"}', 'json', { model: 'gpt-5', input: 'hi' }],
  ];

  test.each(rows.map(([name, ...row]) => ({ name, row })))('$name', ({ row: [content, form, value] }) => {
    const session = read(content);
    expect(session.form).toBe(form);
    expect(session.value).toEqual(value);
    expect(session.findings).toEqual([]);
  });
});

test('how the bytes come in pieces makes no difference', () => {
  const contents = [
    lines(healthy, '\r\n'),
    mark + lines(broken),
    JSON.stringify(broken, null, 2),
    `${lines(broken)}{"ro`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...contents), fc.array(fc.integer({ min: 1, max: 60 })), (content, sizes) => {
      const bytes = Buffer.from(content);
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(readSession(fromChunks(chunks.filter((chunk) => chunk.length > 0)))).toEqual(read(content));
    }),
  );
});

describe('what is wrong with the file itself is found with its line', () => {
  test('a torn last line', () => {
    const session = read(`${lines(broken)}{"role":"assistant","content":"half`);
    expect(session.value).toEqual(broken);
    expect(session.findings).toMatchObject([{ rule: 'torn-last-line', line: 4, severity: 'rejected' }]);
  });

  test('a line in the middle that is not JSON', () => {
    const session = read(`${lines([question])}\nnot json\n${lines(broken.slice(1))}`);
    expect(session.value).toEqual(broken);
    expect(session.findings).toMatchObject([{ rule: 'line-not-json', line: 3 }]);
  });

  test('a first line that is not JSON', () => {
    const session = read(`{"role":"us\n${lines(healthy)}`);
    expect(session.value).toEqual(healthy);
    expect(session.findings).toMatchObject([{ rule: 'line-not-json', line: 1 }]);
  });

  test('a bad last line that was ended is not called torn', () => {
    expect(read(`${lines(broken)}{"ro\n`).findings).toMatchObject([{ rule: 'line-not-json', line: 4 }]);
  });

  test.each([
    ['jsonl', lines(healthy)],
    ['json', JSON.stringify(healthy, null, 1)],
  ])('bytes that are not UTF-8 in %s', (form, content) => {
    const bytes = Buffer.from(content);
    bytes[bytes.indexOf('42')] = 0xff;
    const session = read(bytes);
    expect(session.form).toBe(form);
    expect(session.findings).toMatchObject([{ rule: 'bytes-not-utf8', severity: 'degraded' }]);
    expect(JSON.stringify(session.value)).toContain('\uFFFD2');
  });
});

describe('what is no session is refused in one sentence', () => {
  test.each([
    ['', 'is empty'],
    [' \n\n\t ', 'is empty'],
    [mark, 'is empty'],
    ['hello world', 'is not JSON'],
    ['one\ntwo\nthree\n', 'is not JSON'],
    ['1\ntwo\nthree\n', 'is not JSON (line 2, column 1)'],
    ['[{"role":"user","content":"hi', 'is cut off: the JSON ends in the middle of a value (line 1, column'],
    ['[\n {"role": "user"\n', 'is cut off: the JSON ends in the middle of a value (line 2, column 17)'],
    ['[{"role":"user"},,]', 'is not JSON'],
    ['{"messages": [1 2]}', 'is not JSON (line 1, column 17)'],
    ['SQLite format 3\0', 'is a SQLite database, not JSON'],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), 'is compressed with gzip; unpack it first'],
    [Uint8Array.of(0xff, 0xfe, 0x5b, 0), 'is UTF-16 text; save it as UTF-8 first'],
  ])('%j', (content, sentence) => {
    expect(() => read(content)).toThrow(sentence);
  });

  test('without quoting the content', () => {
    expect(() => read('\u001B[2Jsecret')).toThrow(/^is not JSON$/);
  });
});
