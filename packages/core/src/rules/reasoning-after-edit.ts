import type { Rule } from '../model/rule.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

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
  examples: () => [
    {
      name: 'a call before the reasoning had to be closed',
      dialect: 'anthropic-messages',
      model: 'claude-fable-5-1',
      before: [
        { role: 'user', content: 'list' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'ls will do', signature: 'sig1' },
            { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          ],
        },
        { role: 'user', content: 'well?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'no result came', signature: 'sig2' },
            { type: 'text', text: 'It was interrupted.' },
          ],
        },
      ],
      after: [
        { role: 'user', content: 'list' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'ls will do', signature: 'sig1' },
            { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true },
            { type: 'text', text: 'well?' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'It was interrupted.' }] },
      ],
    },
    ...converseExamples('reasoning-after-edit'),
  ],
};
