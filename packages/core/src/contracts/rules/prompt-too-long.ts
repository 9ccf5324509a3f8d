import type { Rule } from '../../model/rule.ts';

/** A request fits into the window of its model. */
export const promptTooLong: Rule = {
  id: 'prompt-too-long',
  title: 'the history does not fit into the window',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-context'] },
  trigger: 'prompt-too-long',
  summary:
    'The history is certainly longer than the window of the model, even at forty characters a token. Compact it.',
  explain: () => 'the content cannot fit into the window of the model',
  providerError: { 'anthropic-messages': () => 'prompt is too long' },
  examples: () => [
    {
      name: 'a window of one token',
      dialect: 'anthropic-messages',
      profile: { windowTokens: 1 },
      before: { messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }] },
      found: true,
    },
  ],
};
