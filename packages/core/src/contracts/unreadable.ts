import type { Edit, Proposal } from '../model/edit.ts';
import type { Message } from '../model/part.ts';
import type { Case } from '../model/rule.ts';

/** Quotes what can be read of a message, or leaves it out where the policy says so. */
export function quoteOrSkip(found: Case): Proposal {
  if (found.policy.unreadable === 'skip') return skip(found);
  return readAgain(found, { action: 'demote', note: 'kept what could be read of the message as text' });
}

/** Puts what a patient reader makes of a message in its place; a message that says nothing goes. */
export function readAgain(found: Case, { action, note }: Pick<Proposal, 'action' | 'note'>): Proposal {
  const { message } = found.fact;
  const salvaged = found.salvage(message).map((each) => namedAfterCall(found, each));
  if (salvaged.length === 0) return skip(found);
  const keys = salvaged.flatMap(({ unread = [] }) => unread);
  const gone = [
    ...(keys.length === 0 ? [] : [`its keys ${listed(keys)}`]),
    ...(salvaged.some(({ sealedOff }) => sealedOff) ? ['reasoning that nobody can read'] : []),
  ];
  const edits: Edit[] = [{ kind: 'message', message, messages: salvaged }];
  if (gone.length === 0) return { edits, action, loss: 'none', note };
  return { edits, action, loss: 'lossy', note: `${note}, without ${gone.join(' and ')}` };
}

/** As many keys as are named; a message may have any number of them. */
const NAMED = 8;

function listed(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).join(', ');
  return keys.length > NAMED ? `${named} and ${String(keys.length - NAMED)} more` : named;
}

/** How far back the call of a result is looked for that was read again. */
const NEAR = 256;

/** A result that was read again gets the name of its tool from its call, as those have it that came in one piece. */
function namedAfterCall(found: Case, message: Message): Message {
  const [only] = message.parts;
  if (only?.kind !== 'result' || only.tool !== undefined || only.callId === '') return message;
  const { message: end } = found.fact;
  for (let i = end - 1; i >= Math.max(0, end - NEAR); i -= 1) {
    const near = found.message(i);
    const parts = near.role === 'unreadable' ? found.salvage(i).flatMap((each) => each.parts) : near.parts;
    const call = parts.find((part) => part.kind === 'call' && part.callId === only.callId);
    if (call?.kind === 'call') return { ...message, parts: [{ ...only, tool: call.tool }, ...message.parts.slice(1)] };
  }
  return message;
}

/** Leaves a message out. */
export function skip(found: Case): Proposal {
  const { message } = found.fact;
  const said = found.message(message).parts.some((part) => part.characters > 0);
  const note = 'left out a message that is not in the shape of its dialect';
  return { edits: [{ kind: 'message', message, messages: [] }], action: 'drop', loss: said ? 'lossy' : 'none', note };
}
