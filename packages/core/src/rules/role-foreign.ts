import type { Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { readAgain, skip } from './remedies/unreadable.ts';
import { VALID_ROLES } from './refusals/gemini-words.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

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
  examples: () => [
    {
      name: 'the roles of this dialect',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    },
    {
      name: 'a result in a message of its own',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'a.txt' },
      ],
      after: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      ],
    },
    {
      name: 'a role nobody knows',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'hi' },
        { role: 'narrator', content: 'Night falls.' },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.unreadable} Night falls.` }] },
      ],
    },
    {
      name: 'discard: a known role is still replaced, an unknown one goes',
      dialect: 'anthropic-messages',
      options: { policy: 'discard' },
      before: [
        { role: 'human', content: 'hi' },
        { role: 'narrator', content: 'Night falls.' },
        { role: 'ai', content: 'Hello' },
      ],
      after: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      ],
    },
    {
      name: 'the role another provider gives its model',
      dialect: 'openai-chat',
      before: [
        { role: 'user', content: 'hi' },
        { role: 'model', content: 'Hello' },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    },
    {
      name: 'a kind nobody knows',
      dialect: 'pydantic-ai',
      before: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
        { kind: 'note', content: 'Night falls.' },
      ],
      after: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: `${TEXTS.unreadable} Night falls.` }] },
      ],
    },
    ...converseExamples('role-foreign'),
    {
      name: 'a role of another format',
      dialect: 'ai-sdk-model',
      before: [{ role: 'model', content: 'Hello' }],
      after: [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
    },
    {
      name: 'the role another provider gives its model',
      dialect: 'gemini',
      before: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'assistant', parts: [{ text: 'Hello' }] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
      ],
    },
    {
      name: 'a response under a role of its own',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'function', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      ],
    },
    {
      name: 'a result in the shape of another provider',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'ls', args: {} } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
      ],
      after: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { result: 'a.txt' } } }] },
      ],
    },
    ...itemExamples('role-foreign'),
    ...agentExamples('role-foreign'),
    ...mistralExamples('role-foreign'),
    ...interfaceExamples('role-foreign'),
    ...chainExamples('role-foreign'),
  ],
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
