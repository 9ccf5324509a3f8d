import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { chainExamples } from './examples/langchain.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';

function contents(calls: readonly (string | undefined)[], results: readonly (string | undefined)[]): unknown[] {
  const named = (id: string | undefined): object => (id === undefined ? { name: 'read' } : { id, name: 'read' });
  return [
    { role: 'user', parts: [{ text: 'read' }] },
    {
      role: 'model',
      parts: calls.map((id) => ({ functionCall: { ...named(id), args: {} }, thoughtSignature: 'c2ln' })),
    },
    { role: 'user', parts: results.map((id) => ({ functionResponse: { ...named(id), response: { result: 'A' } } })) },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'ids rewritten on one side',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'A' }] },
    ],
    after: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
    ],
  },
  {
    name: 'ids rewritten on one side',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'A' },
    ],
    after: [
      { role: 'user', content: 'read a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'A' },
    ],
  },
  {
    name: 'ids rewritten on one side',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'x1' }] },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' }] },
    ],
  },
  ...converseExamples('result-misnamed'),
  ...inTongues(({ say, result }) => ({
    name: 'ids rewritten on one side, in the messages of a framework',
    before: [...say('', 'c1'), ...result('x1', 'A')],
    after: [...say('', 'c1'), ...result('c1', 'A')],
  })),
  {
    name: 'an id rewritten on one side',
    dialect: 'gemini',
    before: contents(['a'], ['b']),
    after: contents(['a'], ['a']),
  },
  {
    name: 'an id that was lost',
    dialect: 'gemini',
    before: contents(['a'], [undefined]),
    after: contents(['a'], ['a']),
  },
  { name: 'a call without an id takes any result', dialect: 'gemini', clean: contents([undefined], ['b']) },
  {
    name: 'an older model counts results and looks at no id',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    clean: contents(['a', 'b'], ['x', 'y']),
  },
  ...chainExamples('result-misnamed'),
  ...itemExamples('result-misnamed'),
  ...agentExamples('result-misnamed'),
  ...mistralExamples('result-misnamed'),
];
