import type { Rule } from '../model/rule.ts';

/** Reasoning that a model has bound to the bytes before it cannot outlive a change of those bytes. */
export const reasoningAfterEdit: Rule = {
  id: 'reasoning-after-edit',
  title: 'reasoning is bound to a prefix that had to change',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-think-prefix', 'an-think-chain'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'prefix-changed',
  summary:
    'Newer models sign their reasoning together with everything before it. When a repair changes an earlier ' +
    'message, every later reasoning part would be refused, so it is dropped; reasoning before the change ' +
    'stays. Other models keep all of it.',
  applies: (profile) => profile.reasoningBound,
  explain: () => 'reasoning bound to the bytes before it was dropped, because those bytes had to change',
};
