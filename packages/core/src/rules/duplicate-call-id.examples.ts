import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

export const examples: readonly Example[] = [
  {
    name: 'a model that counts its calls from zero',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a and b' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_0', content: 'A' },
          { type: 'tool_result', tool_use_id: 'call_0', content: 'B' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'read a and b' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'call_0_2', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_0', content: 'A' },
          { type: 'tool_result', tool_use_id: 'call_0_2', content: 'B' },
        ],
      },
    ],
  },
  {
    name: 'a model that counts its calls from zero',
    dialect: 'openai-chat',
    before: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'A' },
      { role: 'tool', tool_call_id: 'call_0', content: 'B' },
    ],
    after: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'call_0_2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'A' },
      { role: 'tool', tool_call_id: 'call_0_2', content: 'B' },
    ],
  },
  {
    name: 'a model that counts its calls from zero',
    dialect: 'pydantic-ai',
    before: [
      {
        kind: 'response',
        parts: [
          { part_kind: 'tool-call', tool_name: 'read', args: { path: 'a' }, tool_call_id: 'c0' },
          { part_kind: 'tool-call', tool_name: 'read', args: { path: 'b' }, tool_call_id: 'c0' },
        ],
      },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c0' },
          { part_kind: 'tool-return', tool_name: 'read', content: 'B', tool_call_id: 'c0' },
        ],
      },
    ],
    after: [
      {
        kind: 'response',
        parts: [
          { part_kind: 'tool-call', tool_name: 'read', args: { path: 'a' }, tool_call_id: 'c0' },
          { part_kind: 'tool-call', tool_name: 'read', args: { path: 'b' }, tool_call_id: 'c0_2' },
        ],
      },
      {
        kind: 'request',
        parts: [
          { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c0' },
          { part_kind: 'tool-return', tool_name: 'read', content: 'B', tool_call_id: 'c0_2' },
        ],
      },
    ],
  },
  ...converseExamples('duplicate-call-id'),
  ...inTongues(({ say, result }) => ({
    name: 'a model that counts its calls from zero, in the messages of a framework',
    before: [...say('', 'call_0', 'call_0'), ...result('call_0', 'A'), ...result('call_0', 'B')],
    after: [...say('', 'call_0', 'call_0_2'), ...result('call_0', 'A'), ...result('call_0_2', 'B')],
  })),
  ...itemExamples('duplicate-call-id'),
  ...agentExamples('duplicate-call-id'),
  ...mistralExamples('duplicate-call-id'),
  ...interfaceExamples('duplicate-call-id'),
];
