import type { Rule } from '../model/rule.ts';
import { foldSystem } from './remedies/fold-system.ts';

/** Where the system may speak after the user, it may not speak after the assistant or a tool. */
export const systemAfterAnswer: Rule = {
  id: 'system-after-answer',
  title: 'a system message follows an answer or a result',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'mistral-chat': ['mi-transitions'] },
  trigger: 'system-later',
  summary:
    'Reminders were recorded wherever they were made. After the user they are taken, after an answer or a result ' +
    'they are not; there the text is kept as a user message that says where it came from.',
  detect: (found) => {
    const { role } = found.message(found.fact.message - 1);
    return role === 'assistant' || role === 'tool';
  },
  explain: (found) => `a system message follows one of the role ${found.message(found.fact.message - 1).role}`,
  providerError: {
    'mistral-chat': (found) => {
      const { role } = found.message(found.fact.message - 1);
      return `Unexpected role 'system' after role '${role}'`;
    },
  },
  repair: foldSystem,
};
