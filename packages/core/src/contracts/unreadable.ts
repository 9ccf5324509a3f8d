import type { Proposal } from '../model/edit.ts';
import type { Case } from '../model/rule.ts';

/** Quotes what can be read of a message, or leaves it out where the policy says so. */
export function quoteOrSkip(found: Case): Proposal {
  if (found.policy.unreadable === 'skip') return skip(found);
  return readAgain(found, { action: 'demote', note: 'kept what could be read of the message as text' });
}

/** Puts what a patient reader makes of a message in its place; a message that says nothing goes. */
export function readAgain(found: Case, { action, note }: Pick<Proposal, 'action' | 'note'>): Proposal {
  const { message } = found.fact;
  const salvaged = found.salvage(message);
  if (salvaged === undefined) return skip(found);
  return { edits: [{ kind: 'message', message, messages: [salvaged] }], action, loss: 'none', note };
}

/** Leaves a message out. */
export function skip(found: Case): Proposal {
  const { message } = found.fact;
  const said = found.message(message).parts.some((part) => part.characters > 0);
  const note = 'left out a message that is not in the shape of its dialect';
  return { edits: [{ kind: 'message', message, messages: [] }], action: 'drop', loss: said ? 'lossy' : 'none', note };
}
