import { textPart } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

/** To some models the assistant has to speak between a tool and the user. */
export const userAfterTool: Rule = {
  id: 'user-after-tool',
  title: 'the user speaks directly after a tool',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'mistral-chat': ['mi-transitions'] },
  trigger: 'user-after-tool',
  summary:
    'The user stopped the run when the tools had answered, and wrote again. Older servers want an answer between a ' +
    'result and the user, so a short one is put there.',
  applies: (profile) => profile.userAfterTool === false,
  explain: () => 'no answer stands between the results and what the user says',
  providerError: { 'mistral-chat': () => "Unexpected role 'user' after role 'tool'" },
  repair: ({ fact: { message } }) => ({
    edits: [
      { kind: 'insert', message, messages: [{ role: 'assistant', parts: [textPart(TEXTS.separator, 0)], at: -1 }] },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `put an answer before what the user says: ${TEXTS.separator}`,
  }),
};
