import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bundleCommand, createFolder, hasTerminals, place, run } from './command.ts';
import { broken, healthy } from './sessions.ts';

bundleCommand();
const parent = createFolder();
const orphan = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'hello' },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '42' }] },
];
const words =
  'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block ' +
  'must have a corresponding `tool_use` block in the previous message.';
const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: words } });

describe('the command that is told as the next step', () => {
  test('chooses again what was chosen, in quotes where a shell needs them', async () => {
    const { path } = place(parent, 'the session.json', JSON.stringify(broken));
    const chosen = ['--model', "it's mine", '--dialect', 'anthropic-messages', '--as', 'history'];
    const { stdout } = await run(['doctor', ...chosen, '--policy', 'discard', path]);
    const model = String.raw`--model 'it'\''s mine'`;
    const command = `rethread doctor --fix --policy discard ${model} --dialect anthropic-messages --as history`;
    expect(stdout).toContain(`Next: ${command} '${path}' writes`);
  });

  test('carries the words of a refusal as they were given', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(orphan));
    const short = await run(['doctor', '--refusal', 'messages: first message must use the "user" role', path]);
    expect(short.stdout).toContain(`--refusal 'messages: first message must use the "user" role' ${path} writes`);
    const file = place(parent, 'error.json', body).path;
    expect((await run(['doctor', '--refusal', file, path])).stdout).toContain(`--refusal ${file} ${path} writes`);
    expect((await run(['doctor', '--refusal', body, path])).stdout).toContain(`--refusal <text> ${path} writes`);
  });

  test('names the file that a symbolic link leads to, which can be repaired', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(broken));
    const link = join(dirname(path), 'link.json');
    symlinkSync('session.json', link);
    const { stdout } = await run(['doctor', link]);
    expect(stdout).toContain(`Next: rethread doctor --fix ${realpathSync(path)} writes`);
    expect((await run(['doctor', '--fix', realpathSync(path)])).code).toBe(0);
  });

  test.runIf(hasTerminals)('stands on one line, however narrow the terminal is', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(broken));
    const { stdout } = await run(['doctor', '--dialect', 'anthropic-messages', path], { terminal: true });
    expect(stdout).toContain(`rethread doctor --fix --dialect anthropic-messages ${path}`);
  });
});

describe('a repair that takes away all that showed the dialect', () => {
  const text = [{ type: 'text', text: 'I will look.' }];
  const calls = [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }];
  const opening = [
    { role: 'assistant', content: text, tool_calls: calls },
    { role: 'user', content: 'Well?' },
  ];
  const discard = ['doctor', '--fix', '--policy', 'discard'];

  test('says that it has to be named from now on, or another one would find fault with the file', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(opening));
    const { stdout } = await run([...discard, path]);
    const advice =
      'What is left looks like anthropic-messages: from now on name its dialect with --dialect openai-chat.';
    expect(stdout).toContain(`${advice} The original is in`);
    expect((await run(['doctor', path])).code).toBe(1);
    expect((await run(['doctor', '--dialect', 'openai-chat', path])).code).toBe(0);
    const again = place(parent, 'again.json', JSON.stringify(opening));
    const { files } = JSON.parse((await run([...discard, '--json', again.path])).stdout) as { files: object[] };
    expect(files).toMatchObject([{ dialect: 'openai-chat', showsAs: 'anthropic-messages' }]);
  });

  test.each([
    ['where the other one takes it as well', [], [{ role: 'user', content: 'Look.' }, ...opening]],
    ['where it was named', ['--dialect', 'openai-chat'], opening],
  ])('says nothing %s', async (_, named, session) => {
    const { path } = place(parent, 'session.json', JSON.stringify(session));
    const { code, stdout } = await run([...discard, ...named, path]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('looks like');
  });
});

describe('a refusal', () => {
  test.each([
    ['the words alone', words],
    ['the body of an answer', body],
    [
      'what a client prints, however long',
      `API Error: 400 ${body.replace('"type":"error"', `"id":"${'x'.repeat(5000)}"`)}`,
    ],
    ['several lines', `the provider said\n${words}`],
  ])('is recognised: %s', async (_, refusal) => {
    const { path } = place(parent, 'session.json', JSON.stringify(orphan));
    const ended = await run(['doctor', '--refusal', refusal, path]);
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    expect(ended.stdout).toContain('refusal: result-without-call at m2; what it names was mended');
  });

  test('that names a file which is not there, a folder or a pipe is told of', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(orphan));
    const folder = join(dirname(path), 'folder');
    const pipe = join(dirname(path), 'pipe');
    mkdirSync(folder);
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    for (const [given, sentence] of [
      [join(dirname(path), 'missing.json'), 'cannot be read: no such file'],
      ['missing.txt', 'cannot be read: no such file'],
      [folder, 'is a folder; give the words of the refusal, or a file with them'],
      [pipe, 'is a pipe, socket or device; give the words of the refusal, or a file with them'],
    ] as const) {
      const ended = await run(['doctor', '--refusal', given, path]);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', `rethread: --refusal ${given} ${sentence}\n`]);
    }
  });

  test('that only a person can act on is a finding, with what to do', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(healthy));
    const refusal = 'prompt is too long: 208310 tokens > 200000 maximum';
    for (const mode of [[], ['--fix']]) {
      const ended = await run(['doctor', ...mode, '--refusal', refusal, path]);
      expect([ended.code, ended.stderr]).toEqual([1, '']);
      expect(ended.stdout).toContain('refused: the provider does not take it');
      expect(ended.stdout).not.toMatch(/clean|can be sent/);
      expect(ended.stdout).toContain(`Next: rethread compact ${path} makes it shorter.`);
    }
    expect((await run(['doctor', '--quiet', '--refusal', refusal, path])).stdout).toContain('refused');
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(healthy));
  });

  test('that the history is not to blame for changes nothing about it', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(healthy));
    expect((await run(['doctor', '--refusal', 'tool_use_failed', path])).code).toBe(0);
  });
});

test('an empty list is a healthy history, and a request that every provider refuses', async () => {
  const { path } = place(parent, 'empty.json', '[]');
  expect((await run(['doctor', path])).code).toBe(0);
  const ended = await run(['doctor', '--as', 'request', path]);
  expect([ended.code, ended.stdout]).toMatchObject([1, expect.stringContaining('no-messages')]);
});
