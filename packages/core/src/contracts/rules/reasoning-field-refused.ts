import type { Rule } from '../../model/rule.ts';
import { chatHostExamples } from '../examples/chat-hosts.ts';

/** Some models refuse to be told what they thought. */
export const reasoningFieldRefused: Rule = {
  id: 'reasoning-field-refused',
  title: 'an answer brings its reasoning back to a model that refuses it',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-chat': ['ds-reason-forbid'] },
  trigger: 'reasoning-field-refused',
  summary:
    'The reasoning of an answer was stored in its message and replayed. This model takes it from nobody, so the ' +
    'field goes; the answer stays.',
  applies: (profile) => profile.reasoningField === 'never',
  explain: () => 'this answer has a `reasoning_content`, which the model refuses',
  repair: ({ fact: { message } }) => ({
    edits: [{ kind: 'drop-keys', message, keys: ['reasoning_content'] }],
    action: 'drop',
    loss: 'lossy',
    note: 'removed the reasoning of an answer; the answer is as it was',
  }),
  examples: () => chatHostExamples('reasoning-field-refused'),
};
