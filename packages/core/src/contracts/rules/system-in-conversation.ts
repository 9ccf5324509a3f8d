import type { Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { foldSystem } from '../fold-system.ts';

/** Most models take no system message inside the conversation. */
export const systemInConversation: Rule = {
  id: 'system-in-conversation',
  title: 'a system message stands inside the conversation',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-system-model'] },
  trigger: 'system-later',
  summary:
    'Reminders and instructions were recorded as system messages. Only some newer models accept them after ' +
    'the start; for the others the text is kept as a user message that says where it came from.',
  applies: (profile) => !profile.systemLater,
  explain: () => 'a system message stands after the start of the conversation',
  providerError: { 'anthropic-messages': () => "role 'system' is not supported on this model" },
  repair: foldSystem,
  examples: () => [
    {
      name: 'a model that takes it',
      dialect: 'anthropic-messages',
      model: 'claude-opus-4-8',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: 'Hi.' },
      ],
    },
    {
      name: 'a model that does not',
      dialect: 'anthropic-messages',
      model: 'claude-sonnet-5',
      before: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: 'Hi.' },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
        { role: 'assistant', content: 'Hi.' },
      ],
    },
  ],
};
