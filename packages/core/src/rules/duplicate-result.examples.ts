import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';

export const examples: readonly Example[] = [
  {
    name: 'stored twice by a retry',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
    ],
  },
  {
    name: 'two different answers',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'old' },
      { role: 'tool', tool_call_id: 'call_1', content: 'new' },
    ],
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'new' },
      { role: 'user', content: '[tool output] old' },
    ],
  },
  {
    name: 'stored twice by a retry',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' },
          { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' },
        ],
      },
    ],
    after: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' }] },
    ],
  },
  ...converseExamples('duplicate-result'),
  ...inTongues(({ user, say, result }) => ({
    name: 'two different results, in the messages of a framework',
    before: [...say('', 'c1'), ...result('c1', 'A'), ...result('c1', 'B')],
    after: [...say('', 'c1'), ...result('c1', 'B'), ...user(`${TEXTS.orphan} A`)],
  })),
  {
    name: 'stored twice by a retry',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'stored again behind the answer',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      { role: 'model', parts: [{ text: 'One file.' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      { role: 'model', parts: [{ text: 'One file.' }] },
    ],
  },
  ...itemExamples('duplicate-result'),
  ...agentExamples('duplicate-result'),
  ...mistralExamples('duplicate-result'),
];
