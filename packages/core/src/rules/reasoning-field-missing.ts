import type { Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';

/** Some models want the field of their reasoning back with every answer once tools are in play. */
export const reasoningFieldMissing: Rule = {
  id: 'reasoning-field-missing',
  title: 'an answer lacks the field of its reasoning',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['ds-reason-back'] },
  trigger: 'reasoning-field-missing',
  summary:
    'The reasoning was not stored, or the answer comes from another model. The field is sent empty, which is taken; ' +
    'switching thinking off for the request is the other way.',
  applies: (profile) => profile.reasoningField === 'back',
  explain: () => 'this answer has no `reasoning_content`, which the model wants back',
  providerError: { 'openai-chat': passedBack, deepseek: passedBack },
  repair: (found) => {
    const { message } = found.fact;
    const source = found.message(message);
    const filled = { ...source, wire: withKeys(source.wire, { reasoning_content: '' }) };
    return {
      edits: [{ kind: 'message', message, messages: [filled] }],
      action: 'restore',
      loss: 'none',
      note: 'added an empty field for the reasoning of the answer',
    };
  },
};

function passedBack(): string {
  return 'The `reasoning_content` in the thinking mode must be passed back to the API.';
}
