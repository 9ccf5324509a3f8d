import type { Rule } from '../model/rule.ts';

/** Some models refuse messages of the system. */
export const systemRoleRefused: Rule = {
  id: 'system-role-refused',
  title: 'this model takes no message of the system',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['oc-role-enum', 'tpl-system-none'] },
  trigger: 'system-refused',
  summary:
    'A session was begun with a model that takes system messages and goes on with one that does not. The ' +
    'same words are sent as a message of the user, in the same place.',
  applies: (profile) => !profile.systemRole,
  explain: (found) => `this model refuses messages of the role ${String(found.fact.detail)}`,
  providerError: {
    template: () => 'System role not supported',
    'openai-chat': ({ fact }) =>
      `Unsupported value: 'messages[${String(fact.message)}].role' does not support '${String(fact.detail)}' ` +
      `with this model.`,
  },
  repair: (found) => {
    const { message } = found.fact;
    return {
      edits: [{ kind: 'message', message, messages: [{ ...found.message(message), role: 'user' }] }],
      action: 'rewrite',
      loss: 'none',
      note: `a message of the role ${String(found.fact.detail)} is now one of the user`,
    };
  },
};
