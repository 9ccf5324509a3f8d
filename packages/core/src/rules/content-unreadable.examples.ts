import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { TEXTS } from '../model/synthetic.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

/** A call and its result in the form of a chat. */
function chat(content: unknown): unknown[] {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'A' },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'text, and a list of parts',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
  },
  {
    name: 'one part without a list around it',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  {
    name: 'a message that lost its content',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: 'hi' }, { role: 'user' }],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'discard: the message goes',
    dialect: 'anthropic-messages',
    options: { policy: 'discard' },
    before: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: 42 },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'calls beside the content, as in a chat',
    dialect: 'anthropic-messages',
    before: chat('Let me see.'),
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] },
    ],
  },
  {
    name: 'the one call of an older chat, and its result',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"a"}' } },
      { role: 'function', name: 'read', content: 'A' },
    ],
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_read_1izxwz3197xxg7', name: 'read', input: { path: 'a' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_read_1izxwz3197xxg7', content: 'A' }] },
    ],
  },
  {
    name: 'calls, results and reasoning among the content, as another API has them',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Where is it?', signature: 'c2ln' },
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
    ],
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: `${TEXTS.thought}\nWhere is it?`,
        tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'A' },
    ],
  },
  {
    name: 'words under a key of another format',
    dialect: 'openai-responses',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'assistant', content: 'Hello' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'content that is an object',
    dialect: 'openai-chat',
    before: [{ role: 'user', content: { text: 'hi' } }],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'parts that are a text',
    dialect: 'pydantic-ai',
    before: [{ kind: 'request', parts: 'hi' }],
    after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }],
  },
  ...converseExamples('content-unreadable'),
  {
    name: 'one part without a list around it, and a number',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: { type: 'text', text: 'hi' } },
      { role: 'assistant', content: 42 },
      { role: 'tool', content: 'lost' },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: '42' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.orphan} lost` }] },
    ],
  },
  {
    name: 'calls beside the content, as in a chat',
    dialect: 'ai-sdk-model',
    before: chat(null),
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'A' } }],
      },
    ],
  },
  {
    name: 'parts that are a text',
    dialect: 'gemini',
    before: [{ role: 'user', parts: 'hi' }],
    after: [{ role: 'user', parts: [{ text: 'hi' }] }],
  },
  {
    name: 'content in the place of parts',
    dialect: 'gemini',
    before: [{ role: 'user', content: 'hi' }],
    after: [{ role: 'user', parts: [{ text: 'hi' }] }],
  },
  {
    name: 'a call and a result among the parts, as another API has them',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'read a' }] },
      { role: 'model', parts: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', parts: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'A' }] } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'read a' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'read', args: { path: 'a' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'read', response: { result: 'A' } } }] },
    ],
  },
  ...itemExamples('content-unreadable'),
  ...agentExamples('content-unreadable'),
  ...mistralExamples('content-unreadable'),
  ...interfaceExamples('content-unreadable'),
  ...chainExamples('content-unreadable'),
];
