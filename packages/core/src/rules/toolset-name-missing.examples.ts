import type { Example } from '../model/rule.ts';

function document(): unknown {
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } };
}

function exchange(result: object, ...more: readonly unknown[]): unknown[] {
  return [
    { role: 'user', content: 'press' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'press', input: {}, toolset_name: 'browser' }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...result }, ...more] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'the name is on both sides',
    dialect: 'anthropic-messages',
    clean: exchange({ toolset_name: 'browser', content: 'done' }),
  },
  {
    name: 'the name was lost when the result was stored',
    dialect: 'anthropic-messages',
    before: exchange({ content: 'done' }),
    after: exchange({ content: 'done', toolset_name: 'browser' }),
  },
  {
    name: 'a result without content',
    dialect: 'anthropic-messages',
    before: exchange({}),
    after: exchange({ toolset_name: 'browser' }),
  },
  {
    name: 'a document in the result',
    dialect: 'anthropic-messages',
    before: exchange({ toolset_name: 'browser', content: [{ type: 'text', text: 'done' }, document()] }),
    after: exchange({ toolset_name: 'browser', content: [{ type: 'text', text: 'done' }] }, document()),
  },
];
