import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a limit of ten bytes',
    dialect: 'anthropic-messages',
    profile: { maxBytes: 10 },
    before: { messages: [{ role: 'user', content: 'one two three' }] },
    found: true,
  },
  {
    name: 'a limit of a hundred bytes',
    dialect: 'anthropic-messages',
    profile: { maxBytes: 100 },
    clean: { messages: [{ role: 'user', content: 'one two three, four five six' }] },
  },
];
