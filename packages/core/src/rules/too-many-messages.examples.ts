import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a limit of one',
    dialect: 'anthropic-messages',
    profile: { maxMessages: 1 },
    before: {
      messages: [
        { role: 'user', content: 'one two three' },
        { role: 'user', content: 'four' },
      ],
    },
    found: true,
  },
];
