import type { Proposal } from '../model/edit.ts';
import type { Case } from '../model/rule.ts';

/** Quotes what can be read of a message, or leaves it out where the policy says so. */
export function quoteOrSkip(found: Case): Proposal {
  const { message } = found.fact;
  if (found.policy.unreadable === 'skip') return skip(message);
  const note = 'kept what could be read of the message as text; nothing stays of one that says nothing';
  return { edits: [{ kind: 'salvage', message }], action: 'demote', loss: 'none', note };
}

/** Leaves a message out. */
export function skip(message: number): Proposal {
  const note = 'left out a message that is not in the shape of its dialect';
  return { edits: [{ kind: 'message', message, messages: [] }], action: 'drop', loss: 'lossy', note };
}
