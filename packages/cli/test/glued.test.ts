import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { describe, expect, test } from 'vitest';

import { type Session, readSession } from '../src/files/read-session.ts';
import { renderJsonl } from '../src/files/render-jsonl.ts';
import { fromChunks } from '../src/files/source.ts';
import { bundleCommand, createFolder, place, run } from './command.ts';
import { healthy, lines, question, reply, roleless } from './sessions.ts';

bundleCommand();
const folder = createFolder();

const read = (content: string): Session => readSession(fromChunks([Buffer.from(content)]));

const one = { role: 'user', content: 'a }{ "b" \\' };
const two = { role: 'assistant', content: [{ type: 'text', text: '}{' }] };
const three = { role: 'user', content: '…é' };
const json = (...messages: readonly object[]): string => messages.map((message) => JSON.stringify(message)).join('');

/** What a repair that changes no message writes. */
function rewritten(content: string): string {
  const session = read(content);
  if (session.form !== 'jsonl') throw new Error('this is a file of lines');
  const bytes = Buffer.from(content);
  return renderJsonl(session, session.value)
    .map((piece) => (typeof piece === 'string' ? piece : bytes.subarray(piece.start, piece.end).toString()))
    .join('');
}

describe('records that were glued together are read one by one', () => {
  const all = [one, two, three];
  const rows: readonly (readonly [string, string, readonly object[], readonly object[], string])[] = [
    ['two', `${json(one, two)}\n${json(three)}\n`, all, [{ rule: 'lines-glued', line: 1 }], lines(all)],
    ['three', `${lines([question])}${json(...all)}\n`, [question, ...all], [{ line: 2 }], lines([question, ...all])],
    ['in the only line', json(...all), all, [{ rule: 'lines-glued', line: 1 }], lines(all).trimEnd()],
    ['with blanks between', `${json(one)} \t${json(two)}\n${json(three)}\n`, all, [{ line: 1 }], lines(all)],
    ['with CR LF', `${json(one, two)}\r\n${json(three)}\r\n`, all, [{ line: 1 }], lines(all, '\r\n')],
    [
      'with a torn end',
      `${lines([one])}${json(two)}{"role":"us`,
      [one, two],
      [
        { rule: 'lines-glued', line: 2 },
        { rule: 'torn-last-line', line: 2, explain: 'the end of line 2 is half written (11 bytes)' },
      ],
      lines([one, two]),
    ],
    [
      'with an end that is not JSON',
      `${json(one, two)}{"role":"us\n${json(three)}\n`,
      all,
      [
        { rule: 'lines-glued', line: 1 },
        { rule: 'line-not-json', line: 1, explain: 'a part of line 1 is not JSON (11 bytes)' },
      ],
      lines(all),
    ],
  ];

  test.each(rows.map(([name, ...row]) => ({ name, row })))('$name', ({ row }) => {
    const [content, messages, findings, written] = row;
    const session = read(content);
    expect(session.value).toEqual(messages);
    expect(session.findings).toMatchObject(findings);
    expect(rewritten(content)).toBe(written);
    expect(read(written).findings).toEqual([]);
  });

  test('the finding says that nothing is lost', () => {
    expect(read(`${json(one, two)}\n`).findings).toMatchObject([
      {
        severity: 'rejected',
        explain: 'line 1 holds 2 messages that were not ended; all are read, and nothing is lost',
      },
    ]);
  });
});

describe('a whole record behind what is torn comes back', () => {
  const torn = [one, two, three, { a: [true, -1.5e3, null, 'x\\u0020é'], b: { c: {} } }].map((each) => json(each));
  const readBehind = (from: Uint8Array, whole: object): Session =>
    readSession(fromChunks([Buffer.from(lines([question])), from, Buffer.from(`${json(whole)}\n${json(three)}`)]));

  test.each(torn)('wherever %s was cut', (text) => {
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      for (const whole of [one, two]) {
        const { value, findings } = readBehind(bytes.subarray(0, cut), whole);
        expect(value).toEqual([question, whole, three]);
        const explain = `a part of line 2 is not JSON (${cut} byte${cut === 1 ? '' : 's'})`;
        expect(findings).toEqual([{ rule: 'line-not-json', severity: 'rejected', line: 2, explain }]);
      }
    }
  });

  test.each(torn)('wherever %s gives way to zeros', (text) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const zeroed = Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(512)]);
      const session = readSession(
        fromChunks([Buffer.concat([Buffer.from(lines([question])), zeroed, Buffer.from(json(two))])]),
      );
      expect(session.value).toEqual([question, two]);
      expect(session.findings.map(({ rule }) => rule)).not.toContain('lines-glued');
    }
  });

  test.each([
    ['zeros in front', `${'\0'.repeat(600)}${json(two)}\n`, ['a part of line 2 is not JSON (600 bytes)']],
    ['a byte order mark in front', `\uFEFF${json(two)}\n`, ['a part of line 2 is not JSON (3 bytes)']],
    [
      'zeros behind it',
      `${json(two)}${'\0'.repeat(600)}`,
      ['line 2 holds 1 message that was not ended; it is read', 'the end of line 2 is half written (600 bytes)'],
    ],
  ])('with %s', (_, line, explained) => {
    const session = read(`${lines([one])}${line}`);
    expect(session.value).toEqual([one, two]);
    expect(session.findings.map(({ explain }) => explain)).toEqual(explained);
    expect(rewritten(`${lines([one])}${line}`)).toBe(lines([one, two]));
  });

  test.each(['{"\n', '\0\0\0', '\uFEFF{"', '{"a', 'abc\n'])('and %j in front of it is not written again', (torn) => {
    expect(rewritten(`${torn}${lines([one, two])}`)).toBe(lines([one, two]));
  });

  test.each(roleless)('also where it says what it is without a role: %j', (message) => {
    const call = '{"type":"function_call","call_id":"c","name":"ls","arguments":';
    const session = read(`${lines([question])}${call}${json(message)}\n`);
    expect(session.value).toEqual([question, message]);
    expect(session.findings).toMatchObject([
      { rule: 'line-not-json', explain: 'a part of line 2 is not JSON (62 bytes)' },
    ]);
    expect(read(json(message, message)).value).toEqual([message, message]);
  });

  test('with its own bytes, although what is torn ends within a character', () => {
    const content = Buffer.concat([
      Buffer.from(`${lines([one])}{"a":"`),
      Buffer.from('é').subarray(0, 1),
      Buffer.from(lines([two])),
    ]);
    const { findings } = readSession(fromChunks([content]));
    expect(findings.map(({ rule }) => rule)).toEqual(['line-not-json']);
  });
});

describe('what is no run of records stays what it was', () => {
  test.each([
    ['a comma between', `${json(one)},${json(two)}\n${lines(healthy)}`, 'line-not-json'],
    ['a number behind', `${json(one)}12\n${lines(healthy)}`, 'line-not-json'],
    ['something else before', `us"}${json(two)}\n${lines(healthy)}`, 'line-not-json'],
    ['a half part before', `{"content":[{"type":"text"},${json({ type: 'text' })}\n${lines(healthy)}`, 'line-not-json'],
    ['a torn last line', `${lines(healthy)}{"role":"user","content":"}{`, 'torn-last-line'],
  ])('%s', (_, content, rule) => {
    expect(read(content).value).toEqual(healthy);
    expect(read(content).findings).toMatchObject([{ rule }]);
  });

  test('one line that is no message is refused as before', () => {
    expect(() => read('{"messages":[]}{"messages":[]}')).toThrow('is not JSON (line 1, column 16)');
  });
});

test('the time it takes grows with the length of the line, whatever is in it', () => {
  const timed = (content: string): number => {
    const before = performance.now();
    read(`${lines([question])}${content}\n`);
    return performance.now() - before;
  };
  const worst = [
    (n: number) => '{}'.repeat(n),
    (n: number) => `{"a":"${'}{'.repeat(n)}"}{"a":1}`,
    (n: number) => `{"a":1}{"a":"${'\\\\'.repeat(n)}`,
    (n: number) => `{"a":1}${'{"a":'.repeat(n)}`,
    (n: number) => '{"a":"b'.repeat(n),
    (n: number) => `{"a"${' '.repeat(n)}{`,
  ];
  for (const make of worst) {
    timed(make(1000));
    const small = Math.max(timed(make(10_000)), 20);
    expect(timed(make(100_000))).toBeLessThan(small * 60);
  }
});

describe('the command', () => {
  const content = `${lines([question])}${json(reply, { role: 'user', content: 'ME TOO' })}\n`;

  test('doctor tells of it, and --fix gives every message a line', async () => {
    const { path } = place(folder, 'glued.jsonl', content);
    const looked = await run(['doctor', path]);
    expect(looked.code).toBe(1);
    expect(looked.stdout).toContain('line 2  rejected  lines-glued  line 2 holds 2 messages');
    expect(looked.stdout).toContain('1 finding · 1 repairable · 0 lossy');
    expect((await run(['doctor', '--fix', path])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(lines([question, reply, { role: 'user', content: 'ME TOO' }]));
  });

  test('doctor does not call the content preserved of which a part could not be read', async () => {
    const torn = lines([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'b' }] }]);
    const { path } = place(folder, 'torn.jsonl', `{"role":"us${torn}${lines(healthy)}`);
    const looked = await run(['doctor', path]);
    expect(looked.stdout).toContain('line 1  rejected  line-not-json  a part of line 1 is not JSON (11 bytes)');
    expect(looked.stdout).toContain('2 findings · 2 repairable · 1 lossy · 100 % of what could be read preserved');
  });

  test.each([
    ['turns', []],
    ['slice', ['--last', '1']],
    ['convert', ['--to', 'openai-chat']],
    ['compact', ['--dry-run']],
    ['judge', []],
  ])('%s reads it, and says so', async (command, flags) => {
    const { path } = place(folder, 'glued.jsonl', content);
    const ended = await run([command, path, ...flags]);
    expect(ended.stderr).toContain(`rethread: ${path}: line 2 holds 2 messages`);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/ME TOO|3 messages|accepted/);
  });
});
