import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

const THOUGHTFUL = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'Five letters.', signature: 'c2ln' },
    { type: 'text', text: 'Five.' },
  ],
};

function unmarkedTool(name: string): object {
  return { name, input_schema: { type: 'object' } };
}

function markedTool(name: string): object {
  return { ...unmarkedTool(name), cache_control: { type: 'ephemeral' } };
}

function marked(text: string): unknown {
  return { type: 'text', text, cache_control: { type: 'ephemeral' } };
}

export const examples: readonly Example[] = [
  {
    name: 'a marker on every tool',
    dialect: 'anthropic-messages',
    before: {
      tools: ['a', 'b', 'c', 'd', 'e'].map(markedTool),
      system: [marked('Be brief.')],
      messages: [{ role: 'user', content: [marked('hi')] }],
    },
    after: {
      tools: [unmarkedTool('a'), unmarkedTool('b'), ...['c', 'd', 'e'].map(markedTool)],
      system: [marked('Be brief.')],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    },
  },
  {
    name: 'four markers',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: ['a', 'b', 'c', 'd'].map(marked) }],
  },
  {
    name: 'a marker on each part',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: ['a', 'b', 'c', 'd', 'e'].map(marked) }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'a' }, ...['b', 'c', 'd', 'e'].map(marked)] }],
  },
  {
    name: 'markers inside a result',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [marked('1'), marked('2')] },
          ...['a', 'b', 'c'].map(marked),
        ],
      },
    ],
    after: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '1' }, marked('2')] },
          ...['a', 'b', 'c'].map(marked),
        ],
      },
    ],
  },
  {
    name: 'markers inside and on a result',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [marked('1'), marked('2'), { type: 'text', text: '3' }],
            cache_control: { type: 'ephemeral' },
          },
          ...['a', 'b', 'c', 'd'].map(marked),
        ],
      },
    ],
    after: [
      { role: 'user', content: 'read' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: '1' },
              { type: 'text', text: '2' },
              { type: 'text', text: '3' },
            ],
          },
          ...['a', 'b', 'c', 'd'].map(marked),
        ],
      },
    ],
  },
  {
    name: 'reasoning bound to what stands before it, which markers are no part of',
    dialect: 'anthropic-messages',
    profile: { reasoningBound: true },
    before: [{ role: 'user', content: ['a', 'b', 'c', 'd', 'e'].map(marked) }, THOUGHTFUL],
    after: [{ role: 'user', content: [{ type: 'text', text: 'a' }, ...['b', 'c', 'd', 'e'].map(marked)] }, THOUGHTFUL],
  },
  ...converseExamples('too-many-cache-markers'),
];
