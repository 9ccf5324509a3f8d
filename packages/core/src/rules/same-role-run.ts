import type { Edit } from '../model/edit.ts';
import { indexAt } from '../model/index-at.ts';
import { textPart, type Message, type Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isClientCall, isClientResult } from './remedies/batch.ts';
import { OUT_OF_TURN } from './refusals/provider-words.ts';
import { joinedKeys } from './remedies/joined-keys.ts';
import { staying } from './remedies/requests.ts';

/** Where roles must alternate, neighbours of one role are one message. */
export const sameRoleRun: Rule = {
  id: 'same-role-run',
  title: 'two messages of one role stand side by side',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-same-role'],
    'bedrock-converse': ['br-alternate'],
    'openai-chat': ['ds-alternate', 'tpl-alternate'],
  },
  trigger: 'same-role',
  summary:
    'The user wrote twice, or an answer was stored in pieces. The provider itself joins such messages today; ' +
    'early versions of the ' +
    'API and some proxies refuse them. Set the profile flag `alternation` for those. Under the discard policy ' +
    'the last of several requests stays alone, with those that carry results or words of the system.',
  applies: (profile) => profile.alternation,
  detect: (found) => {
    const { message } = found.fact;
    if (found.message(message - 1).role !== found.message(message).role) return false;
    return message < 2 || found.message(message - 2).role !== found.message(message).role;
  },
  explain: (found) => `messages ${String(found.fact.message - 1)} and ${String(found.fact.message)} have one role`,
  providerError: {
    ...OUT_OF_TURN,
    deepseek: ({ fact: { message } }) =>
      'deepseek-reasoner does not support successive user or assistant messages ' +
      `(messages[${String(message - 1)}] and messages[${String(message)}] in your input). You should interleave ` +
      'the user/assistant messages in the message sequence.',
    'bedrock-converse': () =>
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between ' +
      'user and assistant roles and try again.',
    'anthropic-messages': () => 'messages: roles must alternate between "user" and "assistant"',
  },
  repair: (found) => {
    const first = found.fact.message - 1;
    const head = found.message(first);
    let next = first + 1;
    while (next < found.count && found.message(next).role === head.role) next += 1;
    const kept = keptOf(found, { first, next });
    const keeper = indexAt(kept, 0);
    const parts = kept.flatMap((message) => found.message(message).parts);
    const edits: Edit[] = [];
    for (let message = first; message < next; message += 1) {
      if (message !== keeper) edits.push({ kind: 'message', message, messages: [] });
    }
    const { wire, told } = joinedKeys(
      found.message(keeper),
      kept.slice(1).map((message) => found.message(message)),
    );
    if (kept.length > 1) {
      const all = found.profile.plainContent === true ? withOneText(parts) : inOrder(head, parts, found);
      edits.unshift({ kind: 'message', message: keeper, messages: [{ ...found.message(keeper), wire, parts: all }] });
    }
    const dropped = next - first - kept.length;
    const note = `${joined(kept.map((message) => found.message(message)))}${told}`;
    if (dropped === 0) return { edits, action: 'merge', loss: told === '' ? 'none' : 'lossy', note };
    const requests = dropped === 1 ? 'request' : 'requests';
    const removed = `removed ${String(dropped)} unanswered ${requests} before the last of the run`;
    const both = kept.length > 1 ? `${removed}, and ${note}` : removed;
    return { edits, action: 'drop', loss: 'lossy', note: both };
  },
};

/** Which messages of the input were joined, by their numbers there; what we put in has none. */
function joined(messages: readonly Message[]): string {
  const places = messages.flatMap(({ at, parts }) =>
    at >= 0 ? [at] : parts.flatMap((part) => part.at?.message ?? []),
  );
  const given = [...new Set(places)].sort((a, b) => a - b);
  const [first = 0] = given;
  if (given.length < 2) return 'joined a message with what was put beside it';
  const last = first + given.length - 1;
  return `joined messages ${given.at(-1) === last ? `${String(first)} to ${String(last)}` : given.join(', ')}`;
}

/** Of requests in a row only some stay where the policy does not join them. */
function keptOf(found: Case, { first, next }: { first: number; next: number }): readonly number[] {
  const run = Array.from({ length: next - first }, (_, i) => first + i);
  if (found.policy.consecutiveRequests !== 'keep-last' || found.message(first).role !== 'user') return run;
  const kept = staying(found, run);
  return run.filter((message) => kept.has(message));
}

/** A template that takes one text from everybody gets one: all texts of the run, a blank line between them. */
function withOneText(parts: readonly Part[]): readonly Part[] {
  const texts = parts.filter((part) => part.kind === 'text');
  if (texts.length < parts.length) return parts;
  const characters = texts.reduce((sum, part) => sum + part.characters, 0);
  return [textPart(texts.map((part) => part.text).join('\n\n'), characters)];
}

function inOrder(head: Message, parts: readonly Part[], found: Case): readonly Part[] {
  const { resultsFirst, callsLast } = found.profile;
  if (head.role === 'user') return resultsFirst ? sorted(parts, isClientResult) : parts;
  return callsLast ? sorted(parts, (part) => !isClientCall(part)) : parts;
}

function sorted(parts: readonly Part[], first: (part: Part) => boolean): Part[] {
  return [...parts.filter(first), ...parts.filter((part) => !first(part))];
}
