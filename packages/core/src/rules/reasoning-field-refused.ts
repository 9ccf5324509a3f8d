import type { Edit, Proposal } from '../model/edit.ts';
import { textPart, type Message } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank, readableJson, withKeys } from '../model/value.ts';
import { wireOf } from './remedies/place.ts';
import { unsupportedKey } from './extra-key.ts';

/** Some models refuse to be told what they thought, or take it under another name. */
export const reasoningFieldRefused: Rule = {
  id: 'reasoning-field-refused',
  title: 'an answer brings its reasoning back in a field that is refused',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['ds-reason-forbid', 'gq-strict'] },
  trigger: 'reasoning-field-refused',
  summary:
    'The reasoning of an answer was stored in its message and replayed. Who refuses all keys that it does not know ' +
    'takes it under another name; elsewhere it becomes text before the answer, under a mark that says what it is.',
  applies: (profile) => profile.reasoningField === 'never',
  explain: () => 'this answer has a `reasoning_content`, which the provider refuses',
  providerError: { 'openai-chat': unsupported, groq: unsupported },
  repair,
};

function unsupported(found: Case): string {
  return unsupportedKey(found, 'reasoning_content');
}

function repair(found: Case): Proposal {
  const { message } = found.fact;
  const source = found.message(message);
  const { reasoning_content: field, reasoning: other = null } = wireOf(source);
  const thought = readableJson(field);
  if (isBlank(thought) || other === field) {
    const edits: Edit[] = [{ kind: 'drop-keys', message, keys: ['reasoning_content'] }];
    return { edits, action: 'drop', loss: 'none', note: 'removed a field for reasoning in which nothing more is said' };
  }
  const renamed = found.profile.unknownKeys === 'strip' && other === null;
  const told = renamed ? underOtherName(source, thought) : asText(source, thought);
  return {
    edits: [{ kind: 'message', message, messages: [told] }],
    action: renamed ? 'relocate' : 'demote',
    loss: 'none',
    note: renamed ? 'moved the reasoning of an answer to `reasoning`' : 'kept the reasoning of an answer as text',
  };
}

function underOtherName(source: Message, reasoning: string): Message {
  const changes = { reasoning_content: undefined, reasoning };
  if (source.parts.length > 0) return { ...source, wire: withKeys(source.wire, changes) };
  // A message without any part would go.
  return { ...source, parts: [textPart('', 0)], wire: withKeys(source.wire, { ...changes, content: '' }) };
}

function asText(source: Message, thought: string): Message {
  const text = textPart(`${TEXTS.thought}\n${thought}`, 0, { message: source.at });
  const said = source.parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return { ...source, parts: [text, ...said], wire: withKeys(source.wire, { reasoning_content: undefined }) };
}
