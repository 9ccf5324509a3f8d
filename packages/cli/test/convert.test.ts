import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bundleCommand, createFolder, place, run } from './command.ts';

bundleCommand();
const folder = createFolder();

const chat = [
  { role: 'user', content: 'What is in a.txt?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'alpha' },
];
const converted = [
  { role: 'user', content: 'What is in a.txt?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.txt' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'alpha' }] },
];
const thinking = [
  { role: 'user', content: 'hi' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm\u001b[31m.', signature: 'x' },
      { type: 'text', text: 'a' },
    ],
  },
];

describe('rethread convert', () => {
  test('prints the history in the other dialect, and on standard error that nothing was lost', async () => {
    const { path } = place(folder, 'chat.json', JSON.stringify(chat));
    const { code, stdout, stderr } = await run(['convert', path, '--to', 'anthropic-messages']);
    expect([code, JSON.parse(stdout)]).toEqual([0, converted]);
    expect(stderr).toMatch(/chat\.json: openai-chat to anthropic-messages, nothing was lost\n$/);
  });

  test('reads standard input and lines, and tells what was lost, with no control character', async () => {
    const input = thinking.map((message) => JSON.stringify(message)).join('\n');
    const { code, stdout, stderr } = await run(['convert', '-', '--to', 'openai-chat'], { input });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { content: unknown }[])[1]?.content).toEqual([
      { type: 'text', text: '[reasoning]\nHm\u001b[31m.' },
      { type: 'text', text: 'a' },
    ]);
    expect(stderr).toContain(
      'm1.0  reasoning  reasoning sealed by anthropic (told as text: it is valid only at the provider that made it)',
    );
    expect(stderr).toContain('standard input: anthropic-messages to openai-chat, 1 thing could not be carried over');
    expect(stdout + stderr).not.toContain('\u001b');
  });

  test('writes a new file for its owner alone, and never over another', async () => {
    const { path } = place(folder, 'chat.json', JSON.stringify(chat));
    const target = join(dirname(path), 'claude.json');
    const args = ['convert', path, '--to', 'anthropic-messages', '-o', target];
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(converted);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const again = await run(args);
    expect([again.code, again.stderr]).toEqual([2, `rethread: ${target} is there already; name another file\n`]);
    const nowhere = await run(['convert', path, '--to', 'gemini', '-o', join(dirname(path), 'no', 'x.json')]);
    expect([nowhere.code, nowhere.stderr]).toMatchObject([
      2,
      expect.stringContaining('cannot be written: no such file'),
    ]);
    expect(existsSync(join(dirname(path), 'no'))).toBe(false);
  });

  test('gives machines everything, also what a list has no place for', async () => {
    const input = JSON.stringify([{ role: 'system', content: 'Be brief.' }, ...chat]);
    const { code, stdout, stderr } = await run(['convert', '--json', '-', '--to', 'anthropic-messages'], { input });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'rethread/convert@1',
      file: 'standard input',
      from: 'openai-chat',
      to: 'anthropic-messages',
      output: converted,
      lifted: [{ role: 'system', content: 'Be brief.' }],
      losses: [],
      report: { verdict: 'repaired' },
    });
    const told = await run(['convert', '-', '--to', 'anthropic-messages'], { input });
    expect(told.stderr).toContain('The system text has no place in a bare list');
  });

  test('a whole request goes to the model that is named', async () => {
    const body = { model: 'gpt-5', max_completion_tokens: 9, messages: chat.slice(0, 1) };
    const { stdout } = await run(['convert', '-', '--to', 'anthropic-messages', '--model', 'claude-opus-5'], {
      input: JSON.stringify(body),
    });
    expect(JSON.parse(stdout)).toEqual({ model: 'claude-opus-5', max_tokens: 9, messages: chat.slice(0, 1) });
  });

  test('says what it cannot read, and that something would still be refused', async () => {
    const unknown = await run(['convert', '-', '--to', 'gemini'], { input: '[{"hello":1}]' });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'rethread: standard input does not show which dialect it is in; name it with --from\n',
    ]);
    const wrong = await run(['convert', '--json', '-', '--to', 'gemini', '--from', 'openai-chat'], {
      input: '{"a":1}',
    });
    expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([
      2,
      { error: 'holds no list of messages in openai-chat' },
    ]);
    const missing = await run(['convert', '-'], { input: '[]' });
    expect([missing.code, missing.stderr]).toMatchObject([2, expect.stringContaining('--to')]);
    const long = JSON.stringify([{ role: 'user', content: 'x'.repeat(34_000_000) }]);
    const body = `{"model":"gpt-5","messages":${long}}`;
    const { code, stderr } = await run(['convert', '-', '--to', 'anthropic-messages', '--model', 'claude-opus-4-5'], {
      input: body,
    });
    expect([code, stderr]).toMatchObject([1, expect.stringContaining('not sendable: ')]);
  });
});

describe('rethread doctor --refusal', () => {
  const messages = [
    { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    { role: 'user', content: 'go' },
  ];
  const refusal = 'messages: first message must use the "user" role';

  test('repairs what the provider has refused, although the model is known to take it', async () => {
    const { path } = place(folder, 'session.json', JSON.stringify(messages));
    const args = ['doctor', '--model', 'claude-opus-4-5', '--dialect', 'anthropic-messages', path];
    expect((await run(args)).code).toBe(0);
    const { code, stdout } = await run([...args, '--refusal', refusal]);
    expect(code).toBe(1);
    expect(stdout).toContain('refusal: first-message-not-user; what it names was mended\n');
    expect(stdout).toContain('broken: the provider has refused it\n');
    const body = place(folder, 'error.json', JSON.stringify({ type: 'error', error: { message: refusal } }));
    const fixed = await run([...args, '--fix', '--refusal', body.path]);
    expect(fixed.code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(3);
  });

  test('names the place, and what was not found', async () => {
    const input = JSON.stringify([{ role: 'user', content: 'a', foo: 1 }]);
    const args = ['doctor', '-', '--dialect', 'openai-chat', '--refusal'];
    const found = await run([...args, 'messages.0.foo: Extra inputs are not permitted'], { input });
    expect([found.code, found.stdout]).toMatchObject([1, expect.stringContaining('refusal: extra-key at m0; what it')]);
    expect(found.stdout).toContain('also at m0, extra-key: repair: removed the key foo');
    const strange = await run([...args, 'the teapot is empty'], { input });
    expect([strange.code, strange.stdout]).toMatchObject([0, expect.stringContaining('refusal: not on record; ')]);
    const elsewhere = await run([...args, 'tool_use_failed', '--json'], { input });
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({
      files: [{ repair: { refusal: { known: true, note: expect.stringContaining('ask again') } } }],
    });
    expect((await run([...args, 'tool_use_failed'], { input })).stdout).toContain('refusal: not about the history; ');
  });
});
