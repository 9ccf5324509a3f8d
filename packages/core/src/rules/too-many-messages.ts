import type { Rule } from '../model/rule.ts';

/** A request holds at most so many messages. */
export const tooManyMessages: Rule = {
  id: 'too-many-messages',
  title: 'the request has too many messages',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-count'] },
  trigger: 'too-many-messages',
  summary: 'Nothing short of compaction helps: keep the newest turns and a summary of the rest.',
  explain: () => 'there are more messages than one request may hold',
};
