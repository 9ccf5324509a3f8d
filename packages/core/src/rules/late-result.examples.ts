import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';

export const examples: readonly Example[] = [
  {
    name: 'the tool answered after the session had been resumed',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'build it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'build', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true },
          { type: 'text', text: 'still there?' },
        ],
      },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'built' }] },
    ],
    after: [
      { role: 'user', content: 'build it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'build', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'built' },
          { type: 'text', text: 'still there?' },
        ],
      },
      { role: 'assistant', content: 'Yes.' },
    ],
  },
  {
    name: 'the tool answered after the session had been resumed',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'build it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'build', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: RESULT_TEXTS.unknown },
      { role: 'user', content: 'still there?' },
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
      { role: 'user', content: 'still there?' },
    ],
  },
  {
    name: 'the tool answered after the session had been resumed',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'build', args: {}, tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'build', content: RESULT_TEXTS.unknown, tool_call_id: 'c1' },
          { part_kind: 'user-prompt', content: 'still there?' },
          { part_kind: 'tool-return', tool_name: 'build', content: 'built', tool_call_id: 'c1' },
        ],
      },
    ],
    after: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'build', args: {}, tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'build', content: 'built', tool_call_id: 'c1' },
          { part_kind: 'user-prompt', content: 'still there?' },
        ],
      },
    ],
  },
  ...converseExamples('late-result'),
  ...inTongues(({ user, say, result, closed }) => ({
    name: 'the tool answered after the session had been resumed, in the messages of a framework',
    before: [...say('', 'c1'), ...closed('c1'), ...user('and?'), ...result('c1', 'A')],
    after: [...say('', 'c1'), ...result('c1', 'A'), ...user('and?')],
  })),
  {
    name: 'the tool answered after the session had been resumed',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'build it' }] },
      { role: 'model', parts: [{ functionCall: { name: 'build', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'build', response: { error: RESULT_TEXTS.unknown } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'build', response: { result: 'built' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'build it' }] },
      { role: 'model', parts: [{ functionCall: { name: 'build', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'build', response: { result: 'built' } } }] },
    ],
  },
  ...itemExamples('late-result'),
  ...agentExamples('late-result'),
  ...mistralExamples('late-result'),
];
