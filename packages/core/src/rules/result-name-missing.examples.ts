import type { Example } from '../model/rule.ts';

function exchange(name: { tool_name?: string }): unknown[] {
  return [
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
    { kind: 'request', parts: [{ part_kind: 'tool-return', content: 'A', tool_call_id: 'c1', ...name }] },
  ];
}

function sdkExchange(name: { toolName?: string }): unknown[] {
  const output = { type: 'text', value: 'A' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output, ...name }] },
  ];
}

function contentExchange(fields: { id?: string; name?: string }): unknown[] {
  const id = fields.id === undefined ? {} : { id: fields.id };
  return [
    { role: 'user', parts: [{ text: 'read a' }] },
    {
      role: 'model',
      parts: [{ functionCall: { name: 'ls' } }, { functionCall: { ...id, name: 'read', args: {} } }],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: {} } }] },
    { role: 'user', parts: [{ functionResponse: { ...fields, response: { result: 'A' } } }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'a result that names its tool',
    dialect: 'pydantic-ai',
    clean: exchange({ tool_name: 'read' }),
  },
  {
    name: 'a result without the name of its tool',
    dialect: 'pydantic-ai',
    before: exchange({}),
    after: exchange({ tool_name: 'read' }),
  },
  {
    name: 'a result without the name of its tool',
    dialect: 'ai-sdk-model',
    before: sdkExchange({}),
    after: sdkExchange({ toolName: 'read' }),
  },
  {
    name: 'a result stored by id only',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: contentExchange({ id: 'c1', name: '' }),
    after: contentExchange({ id: 'c1', name: 'read' }),
  },
  {
    name: 'a result with neither id nor name',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: contentExchange({}),
    after: contentExchange({ name: 'read' }),
  },
];
