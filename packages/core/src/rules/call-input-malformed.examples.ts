import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';
import { chainExamples } from './examples/langchain.ts';

function exchange(input: unknown): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
  ];
}

function chatExchange(
  input: unknown,
  call: object = { type: 'function', function: { name: 'read', arguments: input } },
): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', ...call }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A' },
  ];
}

function contentExchange(args: unknown): unknown[] {
  return [
    { role: 'user', parts: [{ text: 'read a' }] },
    { role: 'model', parts: [{ functionCall: { name: 'read', args } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'A' } } }] },
  ];
}

function sdkExchange(fields: { input?: object; args?: object }): unknown[] {
  const output = { type: 'text', value: 'A' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', ...fields }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'an object',
    dialect: 'anthropic-messages',
    clean: exchange({ path: 'a' }),
  },
  {
    name: 'whole arguments that are still a string',
    dialect: 'anthropic-messages',
    before: exchange('{"path":"a"}'),
    after: exchange({ path: 'a' }),
  },
  {
    name: 'numbers with more digits than can be read',
    dialect: 'anthropic-messages',
    before: exchange('{"id":9007199254740993,"text":"9007199254740993"}'),
    after: exchange({ id: 9007199254740992, text: '9007199254740993' }),
  },
  {
    name: 'stopped inside the arguments',
    dialect: 'anthropic-messages',
    before: exchange('{"path":'),
    after: exchange({ INVALID_JSON: '{"path":' }),
  },
  {
    name: 'arguments that are a list',
    dialect: 'anthropic-messages',
    before: exchange(['a']),
    after: exchange({ INVALID_JSON: '["a"]' }),
  },
  {
    name: 'a list that is still a string',
    dialect: 'anthropic-messages',
    before: exchange('["a"]'),
    after: exchange({ INVALID_JSON: '["a"]' }),
  },
  {
    name: 'no arguments at all',
    dialect: 'anthropic-messages',
    before: exchange(null),
    after: exchange({}),
  },
  {
    name: 'half a string is legal',
    dialect: 'openai-chat',
    clean: chatExchange('{"path":'),
  },
  {
    name: 'arguments that were parsed',
    dialect: 'openai-chat',
    before: chatExchange({ path: 'a' }),
    after: chatExchange('{"path":"a"}'),
  },
  {
    name: 'no arguments at all',
    dialect: 'openai-chat',
    before: chatExchange(null),
    after: chatExchange('{}'),
  },
  {
    name: 'a custom tool without input',
    dialect: 'openai-chat',
    before: chatExchange(null, { type: 'custom', custom: { name: 'read', input: null } }),
    after: chatExchange('', { type: 'custom', custom: { name: 'read', input: '' } }),
  },
  ...converseExamples('call-input-malformed'),
  {
    name: 'no arguments at all',
    dialect: 'ai-sdk-model',
    before: sdkExchange({}),
    after: sdkExchange({ input: {} }),
  },
  {
    name: 'arguments under the name of an earlier version',
    dialect: 'ai-sdk-model',
    before: sdkExchange({ args: { path: 'a' } }),
    after: sdkExchange({ input: { path: 'a' } }),
  },
  {
    name: 'whole arguments that are still a string',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: contentExchange('{"path":"a"}'),
    after: contentExchange({ path: 'a' }),
  },
  {
    name: 'arguments that are a list',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: contentExchange(['a']),
    after: contentExchange({ INVALID_JSON: '["a"]' }),
  },
  ...itemExamples('call-input-malformed'),
  ...agentExamples('call-input-malformed'),
  ...mistralExamples('call-input-malformed'),
  ...interfaceExamples('call-input-malformed'),
  ...chatHostExamples('call-input-malformed'),
  ...chainExamples('call-input-malformed'),
];
