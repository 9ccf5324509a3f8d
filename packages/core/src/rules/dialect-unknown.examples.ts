import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  { name: 'a single number', dialect: 'anthropic-messages', before: 42, found: true },
];
