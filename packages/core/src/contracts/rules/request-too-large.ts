import type { Rule } from '../../model/rule.ts';

/** A request holds at most so many bytes. */
export const requestTooLarge: Rule = {
  id: 'request-too-large',
  title: 'the request is too large',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-size'] },
  trigger: 'request-too-large',
  summary: 'Large results or media fill the request. Compact the history or drop old media.',
  explain: () => 'the content is larger than one request may be',
  providerError: { 'anthropic-messages': () => 'request_too_large' },
  examples: [
    {
      name: 'a limit of ten characters',
      dialect: 'anthropic-messages',
      profile: { maxCharacters: 10 },
      before: { messages: [{ role: 'user', content: 'one two three' }, { role: 'user', content: 'four' }] },
      found: true,
    },
  ],
};
