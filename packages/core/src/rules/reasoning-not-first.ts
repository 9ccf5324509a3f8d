import type { Rule } from '../model/rule.ts';
import { wireOf } from './remedies/place.ts';

/** Older models want an assistant message with reasoning to begin with it. */
export const reasoningNotFirst: Rule = {
  id: 'reasoning-not-first',
  title: 'reasoning stands after other parts',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-think-first-block'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'reasoning-not-first',
  summary:
    'Two assistant messages were merged, or a newer model reasoned between its steps, and the history now ' +
    'goes to a model that knows reasoning only at the front. The reasoning parts move there in their order; ' +
    'nothing is lost.',
  applies: (profile) => profile.reasoningFirst,
  // One finding for a message, however many reasoning parts stand late in it.
  detect: (found) =>
    found.message(found.fact.message).parts.findIndex((part) => part.kind === 'reasoning') === found.fact.part,
  explain: () => 'reasoning in this message comes after other parts',
  providerError: {
    'anthropic-messages': (found) => {
      const { type } = wireOf(found.message(found.fact.message).parts[0]);
      return (
        'If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
        '`redacted_thinking`. ' +
        `Found \`${String(type)}\`.`
      );
    },
  },
  repair: (found) => {
    const source = found.message(found.fact.message);
    const parts = [
      ...source.parts.filter((part) => part.kind === 'reasoning'),
      ...source.parts.filter((part) => part.kind !== 'reasoning'),
    ];
    return {
      edits: [{ kind: 'message', message: found.fact.message, messages: [{ ...source, parts }] }],
      action: 'relocate',
      loss: 'none',
      note: 'moved the reasoning to the front of its message',
    };
  },
};
