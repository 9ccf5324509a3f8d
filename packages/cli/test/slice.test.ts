import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bundleCommand, createFolder, place, run } from './command.ts';

bundleCommand();
const folder = createFolder();

const call = (id: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
});
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'alpha' });
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is in a.txt?' },
  call('call_1'),
  result('call_1'),
  { role: 'assistant', content: 'alpha' },
  { role: 'user', content: 'And in b.txt?\u001b[31m' },
  call('call_2'),
  result('call_2'),
  { role: 'assistant', content: 'the same' },
];
const session = (): string => place(folder, 'session.json', JSON.stringify(messages)).path;

describe('rethread turns', () => {
  test('tells where every turn begins, who began it and with which words, with no control character', async () => {
    const { code, stdout } = await run(['turns', session()]);
    expect(code).toBe(0);
    const [first, ...rows] = stdout.trimEnd().split('\n');
    expect(first).toMatch(/session\.json: openai-chat, 9 messages in 3 turns$/);
    expect(rows.map((row) => row.replaceAll(/ {2,}/g, ' | '))).toEqual([
      '0 | m0 | nobody | Be brief.',
      '1 | m1 to m4 | person | What is in a.txt?',
      '2 | m5 to m8 | person | And in b.txt?\\x1b[31m',
    ]);
    expect(stdout).not.toContain('\u001b');
  });

  test('prints turns and cuts for machines', async () => {
    const { code, stdout } = await run(['turns', session(), '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        schema: 'rethread/turns@1',
        dialect: 'openai-chat',
        cuts: [0, 1, 5, 9],
        turns: [{ kind: 'none' }, { kind: 'user', from: 1, to: 5, says: 'What is in a.txt?' }, { index: 2 }],
      },
    ]);
  });

  test('says of a turn without words nothing, and of an empty list that there is none', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const { stdout } = await run(['turns', '-'], { input: JSON.stringify([{ role: 'user', content: [image] }]) });
    expect(stdout).toBe('standard input: openai-chat, 1 message in 1 turn\n0  m0  person\n');
    const empty = await run(['turns', '-'], { input: '[]' });
    expect([empty.code, empty.stdout]).toEqual([0, 'standard input: openai-chat, 0 messages in 0 turns\n']);
  });

  test('ends with 2 and a sentence where nothing can be read', async () => {
    const { path } = place(folder, 'strange.json', '[1, 2]');
    const strange = await run(['turns', path]);
    expect([strange.code, strange.stdout]).toEqual([2, '']);
    expect(strange.stderr).toMatch(/strange\.json does not show which dialect it is in; name it with --dialect\n$/);
    const none = await run(['turns', path.replace('strange', 'missing'), '--json']);
    expect([none.code, (JSON.parse(none.stdout) as { error: string }).error]).toEqual([
      2,
      'cannot be read: no such file',
    ]);
    const body = place(folder, 'body.json', '{"a":1}').path;
    const other = await run(['turns', body, '--dialect', 'gemini', '--model', 'gemini-3-pro']);
    expect(other.stderr).toMatch(/holds no list of messages in gemini\n$/);
  });
});

describe('rethread slice', () => {
  test.each([
    ['--last 1', messages.slice(5), 'messages 5 to 8 of 9'],
    ['--last 0', [], 'no message of 9'],
    ['--from 1', messages.slice(1), 'messages 1 to 8 of 9'],
    ['--before 7', messages.slice(0, 5), 'messages 0 to 4 of 9'],
    ['--before 2', messages.slice(0, 1), 'message 0 of 9'],
  ])('%s', async (flags, expected, told) => {
    const path = session();
    const { code, stdout, stderr } = await run(['slice', path, ...flags.split(' ')]);
    expect([code, JSON.parse(stdout)]).toEqual([0, expected]);
    expect(stderr).toBe(`${path}: ${told}\n`);
  });

  test('gives page after page, and says with which flag to go on', async () => {
    const first = await run(['slice', session(), '--page', '--min', '2']);
    expect(JSON.parse(first.stdout)).toEqual(messages.slice(0, 5));
    expect(first.stderr).toMatch(/messages 0 to 4 of 9; the next page begins with --page 5\n$/);
    const second = await run(['slice', session(), '--page', '5', '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      schema: 'rethread/slice@1',
      from: 5,
      to: 9,
      of: 9,
      hasMore: false,
      output: JSON.parse(JSON.stringify(messages.slice(5))) as unknown,
    });
  });

  test('keeps a whole request one, and writes a new file for its owner alone', async () => {
    const body = { model: 'gpt-5', messages, tools: [] };
    const { path } = place(folder, 'request.json', JSON.stringify(body));
    const out = join(dirname(path), 'part.json');
    const { code, stdout } = await run(['slice', path, '--last', '1', '-o', out]);
    expect([code, stdout]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({ ...body, messages: messages.slice(5) });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const again = await run(['slice', path, '--last', '1', '--out', out, '--json']);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/part\.json is there already; name another file\n$/);
    const nowhere = join(dirname(path), 'none', 'part.json');
    expect((await run(['slice', path, '--last', '1', '--out', nowhere])).stderr).toContain('cannot be written');
    expect(existsSync(nowhere)).toBe(false);
  });

  test.each([
    [[], /give one of --last, --from, --before or --page\n$/],
    [['--last', '1', '--from', '1'], /give one of --last, --from, --before or --page, and only one\n$/],
    [['--last', 'many'], /A whole number is needed/],
    [['--last', '1', '--min', '4'], /cannot be divided: --min goes with --page\n$/],
  ])('with the flags %j ends with 2 and says what is missing', async (flags, expected) => {
    const { code, stderr } = await run(['slice', session(), ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test('ends with 2 where there is no list', async () => {
    const { code, stderr } = await run(['slice', '-', '--last', '1', '--dialect', 'gemini'], { input: '{"a":1}' });
    expect([code, stderr]).toEqual([2, 'rethread: standard input holds no list of messages in gemini\n']);
  });
});
