import { textPart } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

/** To some models the assistant has to speak between a tool and the user. */
export const userAfterTool: Rule = {
  id: 'user-after-tool',
  title: 'the user speaks directly after a tool',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'mistral-chat': ['mi-transitions'] },
  trigger: 'user-after-tool',
  summary:
    'The user stopped the run when the tools had answered, and wrote again. Older servers want an answer between a ' +
    'result and the user, so a short one is put there.',
  applies: (profile) => profile.userAfterTool === false,
  explain: () => 'no answer stands between the results and what the user says',
  providerError: { 'mistral-chat': () => "Unexpected role 'user' after role 'tool'" },
  repair: ({ fact: { message } }) => ({
    edits: [
      { kind: 'insert', message, messages: [{ role: 'assistant', parts: [textPart(TEXTS.separator, 0)], at: -1 }] },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `put an answer before what the user says: ${TEXTS.separator}`,
  }),
  examples: () => [
    {
      name: 'a model that takes it',
      dialect: 'mistral-chat',
      model: 'mistral-small-2603',
      clean: [...called(), { role: 'user', content: 'and then?' }],
    },
    {
      name: 'the user wrote when the tools had answered',
      dialect: 'mistral-chat',
      before: [...called(), { role: 'user', content: 'and then?' }],
      after: [...called(), { role: 'assistant', content: TEXTS.separator }, { role: 'user', content: 'and then?' }],
    },
  ],
};

function called(): unknown[] {
  return [
    { role: 'user', content: 'list the files' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'aB3dE6gH9', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'aB3dE6gH9', content: 'a.txt' },
  ];
}
