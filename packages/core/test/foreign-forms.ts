import type { Dialect } from '../src/index.ts';

/** The same short session in the form of every dialect; each word stands in it once. */
export const WORDS = ['Quokka', 'Lookup', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Theta'] as const;

const args = { key: 'Gamma' };
const text = JSON.stringify(args);

const chat: readonly object[] = [
  { role: 'user', content: 'Quokka' },
  {
    role: 'assistant',
    content: 'Epsilon',
    tool_calls: [{ id: 'call1abcd', type: 'function', function: { name: 'Lookup', arguments: text } }],
  },
  { role: 'tool', tool_call_id: 'call1abcd', content: 'Delta' },
  { role: 'assistant', content: 'Zeta' },
  { role: 'user', content: 'Theta' },
];

export const FORMS: Readonly<Record<Dialect, readonly object[]>> = {
  'openai-chat': chat,
  'mistral-chat': chat,
  'anthropic-messages': [
    { role: 'user', content: [{ type: 'text', text: 'Quokka' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Epsilon' },
        { type: 'tool_use', id: 'call1abcd', name: 'Lookup', input: args },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call1abcd', content: 'Delta' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Zeta' }] },
    { role: 'user', content: 'Theta' },
  ],
  'bedrock-converse': [
    { role: 'user', content: [{ text: 'Quokka' }] },
    {
      role: 'assistant',
      content: [{ text: 'Epsilon' }, { toolUse: { toolUseId: 'call1abcd', name: 'Lookup', input: args } }],
    },
    { role: 'user', content: [{ toolResult: { toolUseId: 'call1abcd', content: [{ text: 'Delta' }] } }] },
    { role: 'assistant', content: [{ text: 'Zeta' }] },
    { role: 'user', content: [{ text: 'Theta' }] },
  ],
  gemini: [
    { role: 'user', parts: [{ text: 'Quokka' }] },
    {
      role: 'model',
      parts: [{ text: 'Epsilon' }, { functionCall: { id: 'call1abcd', name: 'Lookup', args } }],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'call1abcd', name: 'Lookup', response: { result: 'Delta' } } }],
    },
    { role: 'model', parts: [{ text: 'Zeta' }] },
    { role: 'user', parts: [{ text: 'Theta' }] },
  ],
  'openai-responses': [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Quokka' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Epsilon' }] },
    { type: 'function_call', call_id: 'call1abcd', name: 'Lookup', arguments: text },
    { type: 'function_call_output', call_id: 'call1abcd', output: 'Delta' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Zeta' }] },
    { role: 'user', content: 'Theta' },
  ],
  'openai-agents': [
    { role: 'user', content: [{ type: 'input_text', text: 'Quokka' }] },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Epsilon' }],
    },
    { type: 'function_call', callId: 'call1abcd', name: 'Lookup', status: 'completed', arguments: text },
    {
      type: 'function_call_result',
      callId: 'call1abcd',
      name: 'Lookup',
      status: 'completed',
      output: { type: 'text', text: 'Delta' },
    },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Zeta' }] },
    { role: 'user', content: 'Theta' },
  ],
  'ai-sdk-model': [
    { role: 'user', content: [{ type: 'text', text: 'Quokka' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Epsilon' },
        { type: 'tool-call', toolCallId: 'call1abcd', toolName: 'Lookup', input: args },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call1abcd',
          toolName: 'Lookup',
          output: { type: 'text', value: 'Delta' },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Zeta' }] },
    { role: 'user', content: 'Theta' },
  ],
  'ai-sdk-ui': [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Quokka' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Epsilon' },
        { type: 'tool-Lookup', toolCallId: 'call1abcd', state: 'output-available', input: args, output: 'Delta' },
        { type: 'step-start' },
        { type: 'text', text: 'Zeta' },
      ],
    },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Theta' }] },
  ],
  langchain: [
    { type: 'human', content: 'Quokka' },
    { type: 'ai', content: 'Epsilon', tool_calls: [{ name: 'Lookup', args, id: 'call1abcd', type: 'tool_call' }] },
    { type: 'tool', content: 'Delta', tool_call_id: 'call1abcd', name: 'Lookup' },
    { type: 'ai', content: 'Zeta' },
    { type: 'human', content: 'Theta' },
  ],
  'pydantic-ai': [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Quokka' }] },
    {
      kind: 'response',
      parts: [
        { part_kind: 'text', content: 'Epsilon' },
        { part_kind: 'tool-call', tool_name: 'Lookup', args, tool_call_id: 'call1abcd' },
      ],
    },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'Lookup', content: 'Delta', tool_call_id: 'call1abcd' }],
    },
    { kind: 'response', parts: [{ part_kind: 'text', content: 'Zeta' }] },
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Theta' }] },
  ],
};
