import { dropPart, replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { joinedKeys } from './remedies/joined-keys.ts';
import { placeOf, wireOf } from './remedies/place.ts';
import { reasoningAsText } from './remedies/quote.ts';

/** A provider refuses an assistant message that ends in reasoning. */
export const reasoningLast: Rule = {
  id: 'reasoning-last',
  title: 'an assistant message ends with reasoning',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-think-not-last'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-converters'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-think-not-last'],
  },
  trigger: 'reasoning-last',
  summary:
    'The stream was stopped between the reasoning and the answer, or a store keeps each part in a message ' +
    'of its own. If the assistant goes on in the next message the two are joined; else the reasoning is ' +
    'kept as text that says what it is.',
  applies: (profile) => profile.reasoningSigned !== false,
  explain: () => 'nothing follows the reasoning in this message',
  providerError: {
    'anthropic-messages': ({ fact }) =>
      `messages.${String(fact.message)}: The final block in an assistant message cannot be \`thinking\`.`,
  },
  repair,
};

function repair(found: Case): Proposal {
  const { message, part } = placeOf(found);
  const { parts } = found.message(message);
  // Reasoning that a provider keeps under an id belongs to what it led to, and to no other answer.
  const own = wireOf(parts[part]);
  const bound = 'providerOptions' in own || 'providerMetadata' in own;
  if (!bound && message + 1 < found.count && found.message(message + 1).role === 'assistant') {
    const { wire, told } = joinedKeys(found.message(message), [found.message(message + 1)]);
    const note = `joined the reasoning with the assistant message that follows it${told}`;
    return { edits: [{ kind: 'join', message, wire }], action: 'merge', loss: told === '' ? 'none' : 'lossy', note };
  }
  return demote(found, { message, part });
}

/** From the end: what cannot be read goes, until reasoning is met that can be kept as text. */
function demote(found: Case, { message, part }: { message: number; part: number }): Proposal {
  const { parts } = found.message(message);
  const edits: Edit[] = [];
  for (let i = part; i >= 0; i -= 1) {
    const each = parts[i];
    if (each?.kind !== 'reasoning') break;
    const text = reasoningAsText(each);
    if (text === undefined) {
      edits.push(dropPart({ message, part: i }));
      continue;
    }
    edits.push(replacePart({ message, part: i }, text));
    return { edits, action: 'demote', loss: 'none', note: 'kept reasoning that nothing follows as text' };
  }
  return { edits, action: 'drop', loss: 'lossy', note: 'removed reasoning that nothing follows and nobody can read' };
}
