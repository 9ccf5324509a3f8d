import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';

export const examples: readonly Example[] = [
  {
    name: 'text before the result in the same message',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'quickly, please' },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
          { type: 'text', text: 'quickly, please' },
        ],
      },
    ],
  },
  {
    name: 'the user wrote while the tool was running',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'build it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'build', arguments: '{}' } }],
      },
      { role: 'user', content: 'how long?' },
      { role: 'tool', tool_call_id: 'call_1', content: 'built' },
    ],
    after: [
      { role: 'user', content: 'build it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'build', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'built' },
      { role: 'user', content: 'how long?' },
    ],
  },
  {
    name: 'the user wrote while the tool was running',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'build', args: {}, tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'how long?' }] },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'build', content: 'built', tool_call_id: 'c1' }],
      },
    ],
    after: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'build', args: {}, tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'build', content: 'built', tool_call_id: 'c1' },
          { part_kind: 'user-prompt', content: 'how long?' },
        ],
      },
    ],
  },
  ...converseExamples('result-displaced'),
  ...inTongues(({ user, say, result }) => ({
    name: 'the user wrote while the tool was running, in the messages of a framework',
    before: [...say('', 'c1'), ...user('how long?'), ...result('c1', 'A')],
    after: [...say('', 'c1'), ...result('c1', 'A'), ...user('how long?')],
  })),
  {
    name: 'the user wrote while the tool was running',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    clean: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ text: 'how long?' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'the model answered before the tool was done',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ text: 'how long?' }] },
      { role: 'model', parts: [{ text: 'A moment.' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }, { text: 'how long?' }],
      },
      { role: 'model', parts: [{ text: 'A moment.' }] },
    ],
  },
  ...mistralExamples('result-displaced'),
];
