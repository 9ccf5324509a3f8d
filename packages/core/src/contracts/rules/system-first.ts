import type { Rule } from '../../model/rule.ts';

/** The system prompt has a field of its own; it may not open the list. */
export const systemFirst: Rule = {
  id: 'system-first',
  title: 'the list opens with a system message',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-system-first'] },
  trigger: 'system-first',
  summary:
    'The history was kept in the shape of another provider. The text moves into the request’s `system` field; ' +
    'for a bare list it is ' +
    'returned as `lifted`.',
  explain: () => 'a system message stands before the first message of the conversation',
  providerError: {
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}: use the top-level 'system' parameter for the initial system prompt`,
  },
  repair: (found) => ({
    edits: [{ kind: 'lift', message: found.fact.message }],
    action: 'relocate',
    loss: 'none',
    note: 'moved the system message out of the list, into the field for the system prompt',
  }),
  examples: () => [
    {
      name: 'inside a request',
      dialect: 'anthropic-messages',
      before: {
        system: 'Be brief.',
        messages: [
          { role: 'system', content: 'Use tools.' },
          { role: 'user', content: 'hi' },
        ],
      },
      after: {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Use tools.' },
        ],
        messages: [{ role: 'user', content: 'hi' }],
      },
    },
    {
      name: 'in a bare list',
      dialect: 'anthropic-messages',
      before: [
        { role: 'system', content: 'Use tools.' },
        { role: 'user', content: 'hi' },
      ],
      after: [{ role: 'user', content: 'hi' }],
      lifted: [{ role: 'system', content: 'Use tools.' }],
    },
  ],
};
