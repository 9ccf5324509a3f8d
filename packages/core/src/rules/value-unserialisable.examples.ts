import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

function sdkExchange(to: unknown): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'count', input: { to } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'count', output: { type: 'json', value: 10 } }],
    },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'plain values',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'count' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'count', input: { to: 10 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '10' }] },
    ],
  },
  {
    name: 'a big integer among the arguments',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'count' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'count', input: { to: 10n } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '10' }] },
    ],
    after: [
      { role: 'user', content: 'count' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'count', input: { to: '10' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '10' }] },
    ],
  },
  {
    name: 'a big integer in a part',
    dialect: 'openai-chat',
    before: [{ role: 'user', content: [{ type: 'file', file: { file_id: 10n } }] }],
    after: [{ role: 'user', content: [{ type: 'file', file: { file_id: '10' } }] }],
  },
  {
    name: 'a big integer in a return',
    dialect: 'pydantic-ai',
    before: [
      {
        kind: 'response',
        parts: [{ part_kind: 'tool-call', tool_name: 'count', args: '{}', tool_call_id: 'call_1' }],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'count', content: { to: 10n }, tool_call_id: 'call_1' }],
      },
    ],
    after: [
      {
        kind: 'response',
        parts: [{ part_kind: 'tool-call', tool_name: 'count', args: '{}', tool_call_id: 'call_1' }],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'count', content: { to: '10' }, tool_call_id: 'call_1' }],
      },
    ],
  },
  ...converseExamples('value-unserialisable'),
  {
    name: 'a big integer among the arguments',
    dialect: 'ai-sdk-model',
    before: sdkExchange(10n),
    after: sdkExchange('10'),
  },
  {
    name: 'a big integer among the arguments',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'count' }] },
      { role: 'model', parts: [{ functionCall: { name: 'count', args: { to: 10n } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'count', response: { result: 10 } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'count' }] },
      { role: 'model', parts: [{ functionCall: { name: 'count', args: { to: '10' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'count', response: { result: 10 } } }] },
    ],
  },
  ...itemExamples('value-unserialisable'),
  ...agentExamples('value-unserialisable'),
  ...mistralExamples('value-unserialisable'),
  ...interfaceExamples('value-unserialisable'),
  ...chainExamples('value-unserialisable'),
];
