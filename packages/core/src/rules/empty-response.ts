import type { Rule } from '../model/rule.ts';

/** A framework passes an empty response on, and the provider behind it may refuse it. */
export const emptyResponse: Rule = {
  id: 'empty-response',
  title: 'a response has no parts',
  layer: 'message',
  severity: 'degraded',
  loss: 'none',
  evidence: { 'pydantic-ai': ['py-repair'] },
  trigger: 'empty-message',
  summary:
    'The run was stopped after the model had begun to answer and before it had said anything. The framework ' +
    'sends such a response on, but not every provider takes it. It goes; there is nothing in it to keep.',
  explain: () => 'this response has no parts',
  repair: ({ fact: { message } }) => ({
    edits: [{ kind: 'message', message, messages: [] }],
    action: 'drop',
    loss: 'none',
    note: 'removed an empty response',
  }),
};
