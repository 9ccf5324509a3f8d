import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { type Session, readSession } from '../src/files/read-session.ts';
import { renderJson } from '../src/files/render-json.ts';
import { fromChunks } from '../src/files/source.ts';
import { bundleCommand, createFolder, place, run } from './command.ts';
import { broken, call, healthy, lines, question, result } from './sessions.ts';

bundleCommand();
const folder = createFolder();

const read = (content: string | Uint8Array): Session => readSession(fromChunks([Buffer.from(content)]));

/** What a repair that changes no message writes. */
const rewritten = (content: string): string => {
  const session = read(content);
  if (session.form !== 'json') throw new Error('this is one JSON text');
  return renderJson(session, session.value).pieces.join('');
};

const list = [
  question,
  { role: 'assistant', content: 'né "1" \\ 😀' },
  { role: 'user', content: [], n: -1.5e-7, t: true },
];
const body = { model: 'gpt-5', messages: list, tools: [{ type: 'function' }, { type: 'function' }], store: false };
const laidOut = JSON.stringify(list, null, 2);

describe('of a JSON text that is cut off every whole message is read', () => {
  const forms = {
    'on one line': JSON.stringify(list),
    'laid out': `${laidOut}\n`,
    'with CR LF': laidOut.replaceAll('\n', '\r\n'),
    'behind a byte order mark': `\uFEFF${laidOut}`,
    'with a message in each line': `[\n${list.map((message) => JSON.stringify(message)).join(',\n')}\n]`,
    'of a body': JSON.stringify(body),
    'of a body that is laid out': JSON.stringify(body, null, '\t'),
  };

  test.each(Object.entries(forms))('%s, wherever it was cut', (_, text) => {
    const bytes = Buffer.from(text.trimEnd());
    const firstEnd = Buffer.byteLength(text.slice(0, text.indexOf('}') + 1));
    let before = 1;
    for (let cut = firstEnd; cut < bytes.length; cut += 1) {
      for (const zeros of [0, 100]) {
        const content = Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(zeros)]);
        const { form, value, findings } = read(content);
        const messages = Array.isArray(value) ? (value as unknown[]) : (value as typeof body).messages;
        expect(form).toBe('json');
        expect(messages).toEqual(list.slice(0, messages.length));
        expect(messages.length).toBeGreaterThanOrEqual(before);
        expect(findings.map(({ rule }) => rule)).toEqual(['json-cut-off']);
        before = messages.length;
      }
    }
    expect(before).toBe(list.length);
  });

  test.each([
    ['on one line', `[${JSON.stringify(question)},{"ro`, `[${JSON.stringify(question)}]`],
    ['laid out', laidOut.slice(0, -30), `${JSON.stringify(list.slice(0, 2), null, 2)}\n`],
    ['with CR LF', '[\r\n\t{"a": 1.0},\r\n\t{"b', '[\r\n\t{"a": 1.0}\r\n]\r\n'],
    [
      'of a body',
      '{"store": true, "messages": [{"a":1}, {"b":2}], "to',
      '{"store": true, "messages": [{"a":1}, {"b":2}]}',
    ],
    ['of tools behind the messages', '{"messages":[{}],"tools":[{"a":1},{', '{"messages":[{}],"tools":[{"a":1}]}'],
    ['of a number behind the messages', '{"messages":[{}],"n":1,"max_tokens":10', '{"messages":[{}],"n":1}'],
    ['of a body that is laid out', '{\n  "messages": [\n    {},\n    {"a', '{\n  "messages": [\n    {}\n  ]\n}\n'],
    ['with its zeros', `${laidOut}\n${'\0'.repeat(9)}`, `${laidOut}\n`],
  ])('and keeps its bytes: %s', (_, content, written) => {
    expect(rewritten(content)).toBe(written);
    expect(read(written).findings).toEqual([]);
  });

  test.each([
    ['in its line', '[\n{},\n{"role":"us', 3, 'the JSON is cut off: no message is whole in its last 13 bytes'],
    ['of one byte', `[${JSON.stringify(question)},`, 1, 'the JSON is cut off: no message is whole in its last 1 byte'],
    ['without a torn message', `[${JSON.stringify(question)}`, 1, 'the JSON is cut off behind its last whole message'],
    ['with zeros', `${JSON.stringify(list)}\0\0\0`, 1, 'the JSON is cut off: no message is whole in its last 3 bytes'],
  ])('the finding tells how much is left out, %s', (...row) => {
    const [, content, line, explain] = row;
    expect(read(content).findings).toEqual([{ rule: 'json-cut-off', line, severity: 'rejected', explain }]);
  });

  test('what is no UTF-8 is a finding of its own in what is kept, and only there', () => {
    const cut = Buffer.from(`[{"a":"é"},{"b":"é`);
    expect(read(cut.subarray(0, -1)).findings.map(({ rule }) => rule)).toEqual(['json-cut-off']);
    cut[cut.indexOf('é')] = 0xff;
    expect(read(cut).findings.map(({ rule }) => rule)).toEqual(['json-cut-off', 'bytes-not-utf8']);
  });
});

describe('what is not merely cut off, or of which nothing is whole, is refused as before', () => {
  test.each([
    ['[{"role":"user","content":"hi', 'is cut off'],
    ['{"model":"gpt-5","mess', 'is cut off'],
    ['{"role":"assistant","content":[{"type":"text","text":"a"},{"ty', 'is cut off'],
    ['{"choices":[{"a":1},{"b', 'is cut off'],
    [`[${JSON.stringify(question)},{"a":b},{"c`, 'is not JSON'],
    [`[${JSON.stringify(question)}]]`, 'is not JSON'],
    [`[${JSON.stringify(question)}\0\0,${JSON.stringify(question)}]`, 'is not JSON'],
  ])('%s', (content, sentence) => {
    expect(() => read(content)).toThrow(sentence);
  });

  test('one message with zeros behind it is a line', () => {
    expect(read(`${JSON.stringify(question)}\0\0`).form).toBe('jsonl');
  });
});

describe('the command', () => {
  const cut = JSON.stringify(healthy, null, 2).slice(0, -40);

  test('--fix ends the text, repairs what is broken by the cut, and --undo gives the bytes back', async () => {
    const torn = JSON.stringify([question, call, result]).slice(0, -20);
    const { path } = place(folder, 'cut.json', torn);
    const looked = await run(['doctor', path]);
    expect(looked.code).toBe(1);
    expect(looked.stdout).toContain('line 1  rejected  json-cut-off  the JSON is cut off: no message is whole');
    expect(looked.stdout).toContain('2 findings · 2 repairable · 1 lossy · 100 % of what could be read preserved');
    expect((await run(['doctor', '--fix', path])).code).toBe(0);
    const written = JSON.parse(readFileSync(path, 'utf8')) as unknown[];
    expect(written.slice(0, 2)).toEqual([question, call]);
    expect((await run(['doctor', path])).stdout).toContain('clean');
    expect((await run(['doctor', '--undo', path])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(torn);
  });

  test.each(['turns', 'compact'])('%s goes on with no part of a session', async (name) => {
    const { path } = place(folder, `${name}.json`, cut);
    const ended = await run([name, path]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('cannot be read whole: the JSON is cut off');
    expect(readFileSync(path, 'utf8')).toBe(cut);
  });

  test('a file of lines is none', () => {
    expect(read(`${lines(broken)}[{"a":1},{"b`).form).toBe('jsonl');
  });
});
