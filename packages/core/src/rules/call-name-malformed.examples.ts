import type { Example } from '../model/rule.ts';
import { fingerprint } from '../model/call-id.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { UNNAMED } from './remedies/place.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

function exchange(name: string): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
  ];
}

function chatExchange(name: string): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A' },
  ];
}

function contentExchange(name: string): unknown[] {
  return [
    { role: 'user', parts: [{ text: 'read a' }] },
    { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'A' } } }] },
  ];
}

function pydanticExchange(name: string | null): unknown[] {
  return [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: name, args: '{}', tool_call_id: 'call_1' }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'call_1' }],
    },
  ];
}

function sdkExchange(toolName: string): unknown[] {
  const output = { type: 'text', value: 'A' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName, input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'a name of 200 characters',
    dialect: 'anthropic-messages',
    clean: exchange('n'.repeat(200)),
  },
  {
    name: 'stopped before the name',
    dialect: 'anthropic-messages',
    before: exchange(''),
    after: exchange(UNNAMED),
  },
  {
    name: 'a name of 201 characters',
    dialect: 'anthropic-messages',
    before: exchange('n'.repeat(201)),
    after: exchange(`${'n'.repeat(185)}_${fingerprint('n'.repeat(201))}`),
  },
  {
    name: 'a name with a dot',
    dialect: 'openai-chat',
    before: chatExchange('fs.read'),
    after: chatExchange('fs_read'),
  },
  {
    name: 'a name of 65 characters',
    dialect: 'openai-chat',
    before: chatExchange('n'.repeat(65)),
    after: chatExchange(`${'n'.repeat(49)}_${fingerprint('n'.repeat(65))}`),
  },
  {
    name: 'a call that names no tool',
    dialect: 'pydantic-ai',
    before: pydanticExchange(null),
    after: pydanticExchange(UNNAMED),
  },
  ...converseExamples('call-name-malformed'),
  {
    name: 'a name with a dot in it',
    dialect: 'ai-sdk-model',
    before: sdkExchange('multi_tool_use.parallel'),
    after: sdkExchange('multi_tool_use_parallel'),
  },
  {
    name: 'stopped before the name',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: contentExchange(''),
    after: contentExchange(UNNAMED),
  },
  ...itemExamples('call-name-malformed'),
  ...agentExamples('call-name-malformed'),
  ...mistralExamples('call-name-malformed'),
  ...interfaceExamples('call-name-malformed'),
  ...chainExamples('call-name-malformed'),
];
