import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

function image(): unknown {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
}

function exchange(result: object, ...more: readonly unknown[]): unknown[] {
  return [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...result }, ...more] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'no content, an empty string, and text with an image',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: ['toolu_1', 'toolu_2', 'toolu_3'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: '' },
          { type: 'tool_result', tool_use_id: 'toolu_3', content: [{ type: 'text', text: 'a' }, image()] },
        ],
      },
    ],
  },
  { name: 'an empty list', dialect: 'anthropic-messages', before: exchange({ content: [] }), after: exchange({}) },
  {
    name: 'blank texts',
    dialect: 'anthropic-messages',
    before: exchange({
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'a' },
        { type: 'text', text: ' ' },
      ],
    }),
    after: exchange({ content: [{ type: 'text', text: 'a' }] }),
  },
  {
    name: 'an object in the place of text',
    dialect: 'anthropic-messages',
    before: exchange({ content: { lines: 3 } }),
    after: exchange({ content: [{ type: 'text', text: '{"lines":3}' }] }),
  },
  {
    name: 'pieces that are not parts, and a call',
    dialect: 'anthropic-messages',
    before: exchange({ content: ['a', null, 3, { type: 'tool_use', id: 'n', name: 'n', input: {} }] }),
    after: exchange({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: '3' },
        { type: 'text', text: '{"type":"tool_use","id":"n","name":"n","input":{}}' },
      ],
    }),
  },
  {
    name: 'texts that are not texts, beside an image',
    dialect: 'anthropic-messages',
    before: exchange({ content: [{ type: 'text', text: 5 }, { type: 'text' }, { text: 'a' }, image()] }),
    after: exchange({ content: [{ type: 'text', text: '5' }, { type: 'text', text: 'a' }, image()] }),
  },
  {
    name: 'a failed call that had taken a picture',
    dialect: 'anthropic-messages',
    before: exchange({ is_error: true, content: [{ type: 'text', text: 'the page crashed' }, image()] }),
    after: exchange({ is_error: true, content: [{ type: 'text', text: 'the page crashed' }] }, image()),
  },
  ...converseExamples('result-content-refused'),
];
