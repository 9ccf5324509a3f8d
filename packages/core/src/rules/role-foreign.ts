import type { Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { readAgain, skip } from './remedies/unreadable.ts';
import { VALID_ROLES } from './refusals/provider-words.ts';

/** Names that other formats use for the roles every provider knows. */
const MAPPED: ReadonlySet<string> = new Set(
  'user human request assistant ai bot model response system developer tool function tool_result'.split(' '),
);

/** A provider refuses a role it does not know. */
export const roleForeign: Rule = {
  id: 'role-foreign',
  title: 'a message has a role of another format',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-part-type'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-role'],
    'anthropic-messages': ['an-role-enum'],
    'openai-chat': ['oc-role-enum'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-transitions'],
    'ai-sdk-ui': ['ai-schema'],
    langchain: ['lg-invalid'],
  },
  trigger: 'role-foreign',
  summary:
    'The history was recorded by a tool for another provider, or in a format of its own. A role that means ' +
    'the same as one of the target is replaced by it, and a tool message becomes a result; anything else is ' +
    'quoted as text of the user.',
  explain: (found) => `the role ${String(found.fact.detail)} is not one of this dialect`,
  providerError: {
    gemini: () => VALID_ROLES,
    'openai-chat': ({ fact }) =>
      `Unsupported value: 'messages[${String(fact.message)}].role' does not support '${String(fact.detail)}' ` +
      `with this model.`,
  },
  repair,
};

function repair(found: Case): Proposal {
  const role = String(found.fact.detail);
  const mapped = MAPPED.has(role.toLowerCase());
  if (found.policy.unreadable === 'skip' && !mapped) return skip(found);
  return readAgain(found, {
    action: 'restore',
    note: `read a message of the role ${role} in the terms of this dialect`,
  });
}
