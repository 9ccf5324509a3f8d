import { dropPart, replacePart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';
import { reasoningAsText } from './remedies/quote.ts';

/** A provider refuses reasoning that it did not sign. */
export const reasoningUnsigned: Rule = {
  id: 'reasoning-unsigned',
  title: 'reasoning without a signature',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-sig-valid', 'an-sig-empty'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'reasoning-unsigned',
  summary:
    'The signature is the last thing a stream delivers, so a stream that was stopped leaves reasoning ' +
    'without one; reasoning of another provider never had one. It is kept as text that says what it is. ' +
    'Reasoning without readable text goes.',
  applies: (profile) => profile.reasoningSigned !== false,
  explain: () => 'this reasoning has no signature, so the provider cannot accept it as its own',
  providerError: { 'anthropic-messages': refusal },
  repair,
};

function refusal(found: Case): string {
  const { message, part } = placeOf(found);
  const { type, signature } = wireOf(partOf(found));
  const at = `messages.${String(message)}.content.${String(part)}`;
  if (type === 'redacted_thinking') return `${at}: Invalid \`data\` in \`redacted_thinking\` block`;
  return typeof signature === 'string'
    ? `${at}.thinking: each thinking block must contain thinking`
    : `${at}.thinking.signature: Field required`;
}

function repair(found: Case): Proposal {
  const at = placeOf(found);
  const text = reasoningAsText(partOf(found));
  if (text === undefined) {
    const note = 'removed reasoning that has neither a signature nor readable text';
    return { edits: [dropPart(at)], action: 'drop', loss: 'lossy', note };
  }
  const note = 'kept reasoning without a signature as text';
  return { edits: [replacePart(at, text)], action: 'demote', loss: 'none', note };
}
