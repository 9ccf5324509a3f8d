import { describe, expect, test } from 'vitest';

import { dialectOf } from '../src/judge/read-request.ts';
import { bundleCommand, createFolder, place, run } from './command.ts';

bundleCommand();
const folder = createFolder();

const bash = { name: 'bash', input_schema: { type: 'object' } };
const anthropic = (...rest: readonly unknown[]): Record<string, unknown> => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools: [bash],
  messages: [{ role: 'user', content: 'Delete the old logs.' }, ...rest],
});
const calling = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_01', name: 'bash', input: {} }] };
const unanswered = anthropic(calling, { role: 'user', content: 'Are you there?' });

const bodies = {
  'anthropic-messages': anthropic(),
  'openai-chat': { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'gpt-5', input: 'hi' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

describe('a saved request', () => {
  test.each(Object.entries(bodies))('for %s is recognised and accepted', async (dialect, body) => {
    const { code, stdout, stderr } = await run(['judge', '-'], { input: JSON.stringify(body) });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^standard input: ${dialect} request, .*\\naccepted\\n$`));
  });

  test('that is refused is told with the row, the place and the words of the provider', async () => {
    const { path } = place(folder, 'body.json', JSON.stringify(unanswered));
    const { code, stdout, stderr } = await run(['judge', path]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(
      '    an-tooluse-answered at /messages/1\n      messages.1: `tool_use` ids were found without',
    );
    expect(stdout).toContain('refused: the answer would be 400\n');
    expect(stdout).toMatch(/Next: rethread doctor \S*body\.json tells/);
  });

  test.each([
    ['gemini', { contents: [{ role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] }] }],
    [
      'openai-responses',
      { model: 'gpt-5', input: [{ type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' }] },
    ],
  ])('for %s can be examined by the doctor too', async (_, body) => {
    const { path } = place(folder, 'body.json', JSON.stringify(body));
    const { code, stdout } = await run(['judge', path]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/Next: rethread doctor \S*body\.json tells/)]);
  });

  test('gives machines the same', async () => {
    const { code, stdout } = await run(['judge', '--json', '-'], { input: JSON.stringify(unanswered) });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'standard input',
      accepted: false,
      dialect: 'anthropic-messages',
      model: 'claude-sonnet-4-5',
      purpose: 'request',
      strict: true,
      refusals: [{ row: 'an-tooluse-answered', pointer: '/messages/1' }],
    });
  });

  test('is judged with what lies beside its messages, unless it is taken for a history', async () => {
    const input = JSON.stringify({ messages: bodies['anthropic-messages'].messages, max_tokens: 1 });
    const dialect = ['--dialect', 'anthropic-messages'];
    const whole = await run(['judge', ...dialect, '-'], { input });
    expect([whole.code, whole.stdout]).toEqual([1, expect.stringContaining('model: Field required')]);
    expect((await run(['judge', ...dialect, '--as', 'history', '-'], { input })).code).toBe(0);
    expect((await run(['judge', ...dialect, '--model', 'claude-sonnet-4-5', '-'], { input })).code).toBe(0);
  });

  test('without a model is read strictly, or leniently when that is asked for', async () => {
    const input = JSON.stringify([{ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }]);
    const strict = await run(['judge', '-'], { input });
    const lenient = await run(['judge', '--lenient', '-'], { input });
    expect([strict.code, lenient.code]).toEqual([1, 0]);
    expect(strict.stdout).toContain('anthropic-messages history, no model named: the strictest reading');
  });

  test('names the model of a body whose API has it in the address', async () => {
    const input = JSON.stringify({
      modelId: 'amazon.nova-lite-v1:0',
      messages: [{ role: 'user', content: [{ text: 'hi' }] }],
    });
    const { stdout } = await run(['judge', '--dialect', 'bedrock-converse', '-'], { input });
    expect(stdout).toContain('bedrock-converse request, amazon.nova-lite-v1:0');
  });

  test('cannot send control characters to the terminal', async () => {
    const evil = anthropic({ role: 'assistant', content: [{ type: '\u001B[2J\u0007', text: 'x' }] });
    const name = { ...evil, model: 'claude\u001B]0;gone\u0007-3' };
    const { stdout } = await run(['judge', '--dialect', 'anthropic-messages', '-'], { input: JSON.stringify(name) });
    expect(stdout).toContain(String.raw`claude\x1b]0;gone\x07-3`);
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe('what cannot be judged', () => {
  test.each([
    ['is cut off', '{"model": "gpt'],
    ['is empty', ''],
    ['holds several requests', '{"model":"a","messages":[]}\n{"model":"b","messages":[]}\n'],
    ['holds no request', '"hello"'],
    ['does not show which API', '{"hello": 1}'],
    ['line 2 is not JSON', '{"role":"user","content":"a"}\n{"role"\n{"role":"user","content":"b"}\n'],
  ])('%s: says so and ends with 2', async (reason, input) => {
    const { code, stdout, stderr } = await run(['judge', '-'], { input });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^rethread: standard input .*\n$/);
    expect(stderr).toContain(reason);
  });

  test('a file that is not there', async () => {
    const { code, stderr } = await run(['judge', 'nowhere.json'], { cwd: folder });
    expect([code, stderr]).toEqual([2, 'rethread: nowhere.json cannot be read: no such file\n']);
  });

  test('a file that is not there, told to machines too', async () => {
    const { code, stdout, stderr } = await run(['judge', '--json', 'nowhere.json'], { cwd: folder });
    expect([code, stderr]).toEqual([2, 'rethread: nowhere.json cannot be read: no such file\n']);
    expect(JSON.parse(stdout)).toEqual({ file: 'nowhere.json', error: 'cannot be read: no such file' });
  });

  test.each([
    ['oops', 'a string'],
    [{}, 'an object'],
    [null, 'null'],
  ])('messages that are %j', async (messages, what) => {
    const input = JSON.stringify({ model: 'gpt-4.1', messages });
    const { code, stderr } = await run(['judge', '-'], { input });
    expect(code).toBe(2);
    expect(stderr).toContain(`standard input holds no list of messages: its messages are ${what}; with --dialect`);
    const judged = await run(['judge', '--dialect', 'openai-chat', '-'], { input });
    expect([judged.code, judged.stderr]).toEqual([1, '']);
  });

  test('a dialect that is not there', async () => {
    const { code, stderr } = await run(['judge', '--dialect', 'telex', '-']);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are anthropic-messages, openai-chat, openai-responses, gemini');
  });
});

describe('a bare list shows its API', () => {
  test.each([
    ['gemini', [{ role: 'model', parts: [{ text: 'a' }] }]],
    [
      'openai-responses',
      [
        { role: 'user', content: 'a' },
        { type: 'function_call', call_id: 'b' },
      ],
    ],
    ['openai-responses', [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }]],
    ['pydantic-ai', [{ kind: 'request', parts: [] }]],
    ['anthropic-messages', [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }]],
    ['openai-chat', [{ role: 'tool', tool_call_id: 'a', content: 'b' }]],
    [undefined, [1, 2]],
  ])('%s', (dialect, list) => {
    expect(dialectOf(list)).toBe(dialect);
  });
});
