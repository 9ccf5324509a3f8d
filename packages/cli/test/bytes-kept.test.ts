import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { parseExactly } from '../src/files/exact-json.ts';
import { bundleCommand, createFolder, place, run } from './command.ts';

bundleCommand();
const folder = createFolder();

const long = '12345678901234567890';
const input = `{"id":${long},"list":[0.12345678901234567890123,1e400,-9007199254740993]}`;
const question = '{ "role":"user",  "content":"Look up the order." }';
const call = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":${input}}]}`;
const result = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"found"}]}';
const reply = '{"role":"assistant","content":"It is \\u0031."  }';
const thanks = '{"role":"user","content":"caf\\u00e9"}';
const healthy = [question, call, result, reply, thanks];

/** The empty text makes the doctor write the message with the call anew. */
const broken = [question, call.replace('[{"type"', '[{"type":"text","text":""},{"type"'), result, reply, thanks];

const forms: readonly (readonly [string, string, (messages: readonly string[]) => string])[] = [
  ['lines', 'session.jsonl', (messages) => messages.map((message) => `${message}\n`).join('')],
  ['a list on one line', 'session.json', (messages) => `[${messages.join(',')}]`],
  ['a list laid out', 'session.json', (messages) => `[\n\t${messages.join(',\n\t')}\n]\n`],
  [
    'a request',
    'session.json',
    (messages) =>
      `{"model":"claude-sonnet-4-5","max_tokens":10,"seed":${long},"tools":[{"name":"find","input_schema":{"type":"object","maximum":${long}}}],"messages":[${messages.join(', ')}]}`,
  ],
];

/** Those that have the least in common. */
const furthest = forms.filter((_, index) => index === 0 || index === forms.length - 1);

describe('numbers with more digits than the language keeps are read', () => {
  test.each([
    `{"a":${long},"b":[1e400,-1e400,1e-400],"__proto__":${long}}`,
    '[9007199254740993,9007199254740992,0.1,0.10000000000000000055,123456789012345678e2]',
    long,
    `["${long}", ${long}]`,
    '[0.30000000000000004,1700000000000000,-0.0012345678901234567]',
  ])('%s', (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text.replace(', ', ','));
  });

  test('and all others are what they always are', () => {
    const text = `{"a":1.0,"b":1E2,"c":[0.10,1700000000000000,100000000000000000000000],"d":"${long}"}`;
    expect(parseExactly(text)).toStrictEqual(JSON.parse(text));
  });

  test('but not where they are all the arguments of a call, which no provider takes', () => {
    expect(parseExactly(`{"name":"find","input":${long}}`)).toStrictEqual({ name: 'find', input: Number(long) });
    expect(JSON.stringify(parseExactly(`{"input":${long}}`))).toBe(`{"input":${long}}`);
  });

  test('in a time that grows with their length', () => {
    const text = `[0.1${'0'.repeat(1_000_000)}1]`;
    expect(JSON.stringify(parseExactly(text)) === text).toBe(true);
  });

  test('however deep the text is', () => {
    const depth = 100_000;
    expect(parseExactly('['.repeat(depth) + long + ']'.repeat(depth))).toBeInstanceOf(Array);
  });
});

describe.each(forms)('in %s', (_, name, layOut) => {
  test('doctor --fix keeps them in a message that it changes, and the bytes of all others', async () => {
    const { path } = place(folder, name, layOut(broken));
    const ended = await run(['doctor', '--fix', path]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const written = readFileSync(path, 'utf8');
    expect(written.replaceAll(/\s/g, '')).toContain(input);
    for (const message of [question, result, reply, thanks]) expect(written).toContain(message);
  });

  test('slice prints and writes the bytes of every message', async () => {
    const { path } = place(folder, name, layOut(healthy));
    const out = join(dirname(path), 'part.json');
    const lines = join(dirname(path), 'part.jsonl');
    const printed = await run(['slice', path, '--from', '0']);
    expect(printed.code).toBe(0);
    expect((await run(['slice', path, '--from', '0', '-o', out])).code).toBe(0);
    expect((await run(['slice', path, '--from', '0', '-o', lines])).code).toBe(0);
    for (const text of [printed.stdout, readFileSync(out, 'utf8'), readFileSync(lines, 'utf8')]) {
      for (const message of healthy) expect(text).toContain(message);
      expect(text.endsWith('\n')).toBe(true);
    }
    expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(readFileSync(out, 'utf8')));
    const last = await run(['slice', path, '--last', '1']);
    expect(last.stdout).toContain(thanks);
    expect(last.stdout).not.toContain(reply);
  });

  test('slice --json has every digit', async () => {
    const { path } = place(folder, name, layOut(healthy));
    const { stdout } = await run(['slice', path, '--from', '0', '--json']);
    expect(stdout.replaceAll(/\s/g, '')).toContain(input);
  });

  test('compact keeps the bytes of what it does not change, in place and in a new file', async () => {
    const old = { role: 'user', content: 'x'.repeat(20_000) };
    const messages = [JSON.stringify(old), '{"role":"assistant","content":"Yes."}', ...healthy];
    const { path } = place(folder, name, layOut(messages));
    const out = join(dirname(path), 'short.json');
    const flags = ['--budget', '600', '--keep', '2', '--no-model'];
    expect((await run(['compact', path, ...flags, '-o', out])).code).toBe(0);
    expect((await run(['compact', path, ...flags, '--write'])).code).toBe(0);
    for (const file of [path, out]) {
      const text = readFileSync(file, 'utf8');
      for (const message of healthy) expect(text).toContain(message);
      expect(text.length).toBeLessThan(15_000);
    }
  });

  test('convert carries them as a value and as a text', async () => {
    const { path } = place(folder, name, layOut(healthy));
    const chat = await run(['convert', path, '--to', 'openai-chat']);
    expect(chat.stdout.replaceAll(/\s/g, '')).toContain(`"arguments":${JSON.stringify(input)}`);
    const converse = await run(['convert', path, '--to', 'bedrock-converse']);
    expect(converse.stdout.replaceAll(/\s/g, '')).toContain(`"input":${input}`);
  });
});

test('a control character of a session is printed as an escape, and a byte order mark not at all', async () => {
  const { path } = place(folder, 'odd.json', `\uFEFF[\r{"role":"user",\t"content":"a\u009bb\u202ec"}]\r\n`);
  const { stdout } = await run(['slice', path, '--from', '0']);
  expect(stdout).toBe('[ {"role":"user",\t"content":"a\\u009bb\\u202ec"}]\r\n');
});

describe('keys that stand twice in one object', () => {
  const twice = call.replace(`"id":${long},`, '"path":"a","path":"b",');
  const answered = [question, twice, result, thanks];
  const cut = [question, twice.replace('[{"type"', '[{"type":"text","text":""},{"type"'), result, thanks];

  test.each(forms)('are told of where a message is written anew, in %s', async (_, name, layOut) => {
    const { path } = place(folder, name, layOut(cut));
    const looked = await run(['doctor', path]);
    expect(looked.stdout).toMatch(
      /key-repeated {2}the key path stands twice in \/.*1\/content\/1\/input; only the last is read/,
    );
    const fixed = await run(['doctor', '--fix', '--json', path]);
    expect(fixed.code).toBe(0);
    const [file] = (JSON.parse(fixed.stdout) as { files: { fileFindings: object[] }[] }).files;
    expect(file?.fileFindings).toMatchObject([{ rule: 'key-repeated' }]);
    const text = readFileSync(path, 'utf8');
    expect([text.includes('"path":"b"') || text.includes('"path": "b"'), text.includes('"a"')]).toEqual([true, false]);
    expect((await run(['doctor', path])).stdout).not.toContain('key-repeated');
  });

  test.each(furthest)('stay where it is not, in %s', async (_, name, layOut) => {
    const { path } = place(folder, name, layOut(answered));
    const { stdout, stderr } = await run(['slice', path, '--from', '0']);
    expect(stdout).toContain(twice);
    const other = await run(['slice', path, '--last', '1']);
    expect(stderr + other.stderr).not.toContain('twice');
    expect((await run(['doctor', path])).stdout).not.toContain('key-repeated');
  });

  test.each(furthest)('are a loss of a conversion, in %s', async (_, name, layOut) => {
    const { path } = place(folder, name, layOut(answered));
    const { code, stderr } = await run(['convert', path, '--to', 'openai-chat']);
    expect(code).toBe(0);
    expect(stderr).toContain('m1  key  the first path');
    expect(stderr).not.toContain('nothing was lost');
    const { stdout } = await run(['convert', path, '--to', 'openai-chat', '--json']);
    const { losses } = JSON.parse(stdout) as { losses: { at: { pointer: string } }[] };
    expect(losses.map(({ at }) => at.pointer)).toContainEqual(expect.stringMatching(/1\/content\/0\/input\/path$/));
  });

  test('are told of beside the list of a request, which is written anew', async () => {
    const body = `{"seed":1,"model":"claude-sonnet-4-5","seed":2,"messages":[${healthy.join(',')}]}`;
    const { path } = place(folder, 'body.json', body);
    const { stdout, stderr } = await run(['slice', path, '--last', '1']);
    expect(JSON.parse(stdout)).toMatchObject({ seed: 2 });
    expect(stderr).toContain('the key seed stands twice in the request');
  });
});
