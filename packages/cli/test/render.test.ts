import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type JsonSession, type JsonlSession, readSession } from '../src/files/read-session.ts';
import { renderJson } from '../src/files/render-json.ts';
import { renderJsonl } from '../src/files/render-jsonl.ts';
import { fromChunks } from '../src/files/source.ts';

const jsonl = (content: string): JsonlSession => {
  const session = readSession(fromChunks([Buffer.from(content)]));
  if (session.form !== 'jsonl') throw new Error('this is a file of lines');
  return session;
};

const json = (content: string): JsonSession => {
  const session = readSession(fromChunks([Buffer.from(content)]));
  if (session.form !== 'json') throw new Error('this is one JSON value');
  return session;
};

/** Renders what `change` makes of the messages. */
function edited(content: string, change: (messages: readonly unknown[]) => readonly unknown[]): string {
  const session = jsonl(content);
  const bytes = Buffer.from(content);
  return renderJsonl(session, change(session.value))
    .map((piece) => (typeof piece === 'string' ? piece : bytes.subarray(piece.start, piece.end).toString()))
    .join('');
}

const a = '{"role":"a", "n":1.0}';
const b = '{ "role":"b","n":12345678901234567890}';
const c = String.raw`{"role":"c","t":"\u00e9"}`;
const added = { role: 'x' };
const x = '{"role":"x"}';

type Change = (messages: readonly unknown[]) => readonly unknown[];

describe('lines', () => {
  const rows: readonly (readonly [string, string, Change, string])[] = [
    [
      'an untouched file keeps every byte',
      `\uFEFF\n${a}\r\n\r\n${b}\n${c}\n\n`,
      (m) => [...m],
      `\uFEFF\n${a}\r\n\r\n${b}\n${c}\n`,
    ],
    ['a new line goes between', `${a}\n${b}\n`, ([m, n]) => [m, added, n], `${a}\n${x}\n${b}\n`],
    ['new lines end as the others do', `${a}\r\n${b}\r\n`, ([m, n]) => [m, added, n], `${a}\r\n${x}\r\n${b}\r\n`],
    ['no final newline stays none', `${a}\n${b}`, ([m, n]) => [m, n, added], `${a}\n${b}\n${x}`],
    ['no final newline stays none after a removal', `${a}\n${b}`, ([m]) => [m], a],
    ['a moved line keeps its bytes', `${a}\n${b}\n${c}\n`, ([m, n, o]) => [n, m, o], `${b}\n${a}\n${c}\n`],
    ['the byte order mark stays when the first line goes', `\uFEFF${a}\n${b}\n`, ([, n]) => [n], `\uFEFF${b}\n`],
    [
      'a message made anew with the same content keeps its bytes',
      `${a}\n${b}\n`,
      ([m, n]) => [m, { ...(n as object) }],
      `${a}\n${b}\n`,
    ],
    ['a line that is not JSON is left out', `${a}\noops\n${b}\n`, (m) => [...m], `${a}\n${b}\n`],
    [
      'a torn last line is left out, and the one before it stays ended',
      `${a}\n${b}\n{"ro`,
      (m) => [...m],
      `${a}\n${b}\n`,
    ],
  ];

  test.each(rows.map(([name, ...row]) => ({ name, row })))('$name', ({ row: [content, change, expected] }) => {
    expect(edited(content, change)).toBe(expected);
  });
});

describe('one JSON value', () => {
  const styles: readonly (readonly [string, string | undefined, string])[] = [
    ['none', undefined, ''],
    ['two', '  ', '\n'],
    ['four', '    ', ''],
    ['a tab', '\t', '\n'],
  ];

  test.each(styles)('indentation by %s and the end of the file stay', (_, unit, end) => {
    const messages = [{ role: 'a' }, { role: 'b', list: [1, {}] }, { role: 'c' }];
    const session = json(JSON.stringify(messages, null, unit) + end);
    const [first, second, third] = session.value as readonly unknown[];
    const output = [first, { role: 'x', list: [1, []] }, second, third];
    expect(renderJson(session, output).pieces.join('')).toBe(JSON.stringify(output, null, unit) + end);
    expect(renderJson(session, [third]).pieces.join('')).toBe(JSON.stringify([third], null, unit) + end);
  });

  test.each(styles)('a body indented by %s keeps its other fields and takes new ones', (_, unit, end) => {
    const body = { model: 'm', messages: [{ role: 'a' }, { role: 'b' }], tools: [] };
    const session = json(JSON.stringify(body, null, unit) + end);
    const value = session.value as { messages: readonly unknown[] };
    const output = { ...value, messages: [{ role: 'x' }, ...value.messages], system: 'be kind' };
    expect(renderJson(session, output).pieces.join('')).toBe(JSON.stringify(output, null, unit) + end);
  });

  test('line ends of CR LF stay', () => {
    const text = JSON.stringify([{ role: 'a' }], null, 2).replaceAll('\n', '\r\n');
    const session = json(text);
    const output = [...(session.value as readonly unknown[]), { role: 'x' }];
    expect(renderJson(session, output).pieces.join('')).toBe(JSON.stringify(output, null, 2).replaceAll('\n', '\r\n'));
  });

  test('a message that did not change keeps numbers and escapes that a parser would not give back', () => {
    const session = json(`[ ${a} ,\n${b}, ${c}]\n`);
    const [first, second, third] = session.value as readonly unknown[];
    expect(renderJson(session, [first, second, added, third]).pieces.join('')).toBe(
      `[ ${a} ,\n${b} ,\n${x} ,\n${c}]\n`,
    );
  });

  test('whatever is kept, dropped, moved or added, the text parses to exactly that', () => {
    const list = fc.array(fc.record({ role: fc.string(), content: fc.jsonValue({ maxDepth: 2 }) }), {
      minLength: 1,
    });
    const unit = fc.constantFrom(undefined, 1, 2, '\t');
    const cases = fc.record({ list, unit, picks: fc.array(fc.integer({ min: -1, max: 8 })), inBody: fc.boolean() });
    fc.assert(
      fc.property(cases, ({ list, unit, picks, inBody }) => {
        const session = json(JSON.stringify(inBody ? { messages: list, z: 1 } : list, null, unit));
        const value = session.value as { messages: readonly unknown[] };
        const input = inBody ? value.messages : (session.value as readonly unknown[]);
        const picked = [...new Set(picks)].map((pick) => input[pick] ?? { role: 'x', content: [pick] });
        const output = inBody ? { ...value, messages: picked } : picked;
        expect(JSON.parse(renderJson(session, output).pieces.join(''))).toEqual(JSON.parse(JSON.stringify(output)));
      }),
    );
  });
});
