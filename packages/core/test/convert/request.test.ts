import { describe, expect, test } from 'vitest';
import { convert } from '../../src/index.ts';
import { chat, pydantic } from '../words.ts';

const { call, result, say, system, user } = chat;

const messages = [
  system('Be brief.'),
  user('What is in a.txt?'),
  say('I will look.', call('call_1', 'read', '{"path":"a.txt"}')),
  result('call_1', 'alpha'),
];

describe('a whole request', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  const body = {
    model: 'gpt-5',
    max_completion_tokens: 500,
    temperature: 0.5,
    stop: 'END',
    response_format: { type: 'json_object' },
    tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema, strict: true } }],
    tool_choice: 'required',
    messages,
  };

  test('crosses with its system text, its tools and its settings', () => {
    const { output, losses } = convert(body, { to: 'anthropic-messages', model: 'claude-opus-5' });
    expect(output).toMatchObject({
      model: 'claude-opus-5',
      max_tokens: 500,
      temperature: 0.5,
      stop_sequences: ['END'],
      system: [chat.text('Be brief.')],
      tools: [{ name: 'read', description: 'Reads.', input_schema: schema, strict: true }],
      tool_choice: { type: 'any' },
    });
    expect(losses.map(({ kind, at }) => [kind, at.pointer])).toEqual([
      ['key', '/response_format'],
      ['key', '/model'],
    ]);
  });

  test.each([
    ['gemini', { toolConfig: { functionCallingConfig: { mode: 'ANY' } }, generationConfig: { maxOutputTokens: 500 } }],
    ['bedrock-converse', { toolConfig: { toolChoice: { any: {} } }, inferenceConfig: { maxTokens: 500 } }],
    ['openai-responses', { tool_choice: 'required', max_output_tokens: 500, instructions: 'Be brief.' }],
    ['mistral-chat', { tool_choice: 'any', max_tokens: 500 }],
    ['ai-sdk-model', { toolChoice: 'required', maxOutputTokens: 500, instructions: 'Be brief.' }],
  ] as const)('says the same to %s', (to, fields) => {
    const { output } = convert(body, { to });
    expect(output).toMatchObject(fields);
    const back = convert(output, { from: to, to: 'openai-chat' });
    expect(back.output).toMatchObject({ max_completion_tokens: 500, tool_choice: 'required' });
    expect((back.output as typeof body).tools[0]?.function).toMatchObject({ name: 'read', parameters: schema });
  });

  test('names what has no place in the other', () => {
    const served = {
      model: 'claude-opus-4-5',
      max_tokens: 1,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'auto' },
      messages: [{ role: 'user', content: 'a', id: 'm1' }],
    };
    const { output, losses } = convert(served, { to: 'openai-chat' });
    expect(output).toEqual({ max_completion_tokens: 1, messages: [system('Be brief.'), user('a')] });
    expect(losses.map(({ kind, at }) => `${kind} ${at.pointer}`).sort()).toEqual([
      'key /messages/0/id',
      'key /model',
      'key /system/0/cache_control',
      'key /thinking',
      'key /tool_choice',
      'tool /tools/0',
    ]);
  });

  test.each([
    ['openai-chat', 'claude-opus-4-6', []],
    ['openai-chat', 'gpt-5', ['other']],
    ['ai-sdk-model', 'claude-opus-4-6', ['nothing']],
    ['gemini', 'gemini-2.5-flash', ['nothing']],
  ] as const)('to %s tells what became of its model where %s is asked', (to, model, became) => {
    const body = { model: 'claude-opus-4-6', messages: [user('a')] };
    const { output, losses } = convert(body, { from: 'anthropic-messages', to, model });
    expect(losses.map((loss) => loss.became)).toEqual(became);
    expect(Object.values(output as object).includes(model)).toBe(to === 'openai-chat');
  });

  test('takes no tools to where there are none', () => {
    const { output, losses } = convert(body, { to: 'pydantic-ai' });
    expect(Object.keys(output as object)).toEqual(['messages']);
    expect(losses.filter(({ kind }) => kind === 'tool').map(({ what }) => what)).toEqual(['read']);
  });

  test('instructions told with every request are told once', () => {
    const asked = (text: string, told: string): object => ({
      kind: 'request',
      parts: [{ part_kind: 'user-prompt', content: text }],
      instructions: told,
    });
    const history = [asked('a', 'old'), pydantic.say('b'), asked('c', 'new')];
    const { output, losses } = convert(history, { to: 'openai-chat' });
    expect((output as unknown[])[0]).toEqual(system('new'));
    expect(losses.map(({ kind, what, at }) => [kind, what, at.pointer])).toEqual([
      ['system', 'old', '/0/instructions'],
    ]);
  });
});
