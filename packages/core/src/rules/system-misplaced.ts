import type { Edit } from '../model/edit.ts';
import type { Message } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { foldSystem } from './remedies/fold-system.ts';

/** Inside a conversation a system message stands between a user and an assistant, or at the end. */
export const systemMisplaced: Rule = {
  id: 'system-misplaced',
  title: 'a system message stands in the wrong place',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-system-before', 'an-system-after'] },
  trigger: 'system-misplaced',
  summary:
    'A system message must follow the user and precede the assistant. Before a user message it is moved ' +
    'behind that message; after an assistant with no user next it is kept as a user message.',
  applies: (profile) => profile.systemLater,
  explain: (found) =>
    followsUser(found)
      ? 'a system message is followed by a user message'
      : 'a system message follows an assistant message',
  providerError: {
    'anthropic-messages': (found) =>
      followsUser(found)
        ? `messages.${String(found.fact.message)}: role 'system' must precede an 'assistant' message or end the ` +
          `array; the directive-only form (content: [] with output_config) is accepted at any position`
        : `messages.${String(found.fact.message)}: role 'system' must follow a 'user' message or an 'assistant' ` +
          `message ending in a server tool result; the directive-only form (content: [] with output_config) is ` +
          `accepted at any position`,
  },
  repair: (found) => {
    const { message: first } = found.fact;
    const last = lastUser(found);
    if (last === first) return foldSystem(found);
    // All that stand before the same user message move together, so that they keep their order.
    const run: number[] = [];
    for (let i = first; i < last; i += 1) if (isSystemText(found.message(i))) run.push(i);
    const edits: Edit[] = [
      ...run.map((message): Edit => ({ kind: 'message', message, messages: [] })),
      { kind: 'insert', message: last + 1, messages: run.map((message) => found.message(message)) },
    ];
    const note = 'moved what the system says behind the user message after it';
    return { edits, action: 'relocate', loss: 'none', note };
  },
};

/** The last user message before somebody else speaks; the system message itself if there is none. */
function lastUser(found: Case): number {
  let last = found.fact.message;
  for (let i = last; roleAt(found, i) === 'system' || roleAt(found, i) === 'user'; i += 1) {
    if (roleAt(found, i) === 'user') last = i;
  }
  return last;
}

/** A system message without parts only sets options and may stand anywhere. */
function isSystemText({ role, parts }: Message): boolean {
  return role === 'system' && parts.length > 0;
}

function roleAt(found: Case, index: number): string | undefined {
  return index < found.count ? found.message(index).role : undefined;
}

function followsUser(found: Case): boolean {
  let before = found.fact.message - 1;
  while (before >= 0 && found.message(before).role === 'system') before -= 1;
  return roleAt(found, Math.max(0, before)) === 'user';
}
