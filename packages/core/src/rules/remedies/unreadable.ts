import type { Edit, Proposal } from '../../model/edit.ts';
import type { Message } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';

/** Quotes what can be read of a message, or leaves it out where the policy says so. */
export function quoteOrSkip(found: Case): Proposal {
  if (found.policy.unreadable === 'skip') return skip(found);
  return readAgain(found, { action: 'demote', note: 'kept what could be read of the message as text' });
}

/** Puts what a patient reader makes of a message in its place; a message that says nothing goes. */
export function readAgain(found: Case, { action, note }: Pick<Proposal, 'action' | 'note'>): Proposal {
  const { message } = found.fact;
  const { messages, gone } = again(found);
  if (messages.length === 0) return skip(found);
  const edits: Edit[] = [{ kind: 'message', message, messages }];
  if (gone.length === 0) return { edits, action, loss: 'none', note };
  return { edits, action, loss: 'lossy', note: `${note}, without ${gone.join(' and ')}` };
}

type Again = { readonly messages: readonly Message[]; readonly gone: readonly string[] };

/** Every piece that cannot be read asks for its whole message. */
function again(found: Case): Again {
  const known = found.note('read again', () => new Map<readonly Message[], Again>());
  const salvaged = found.salvage(found.fact.message);
  const read = known.get(salvaged) ?? { messages: namedAfterCalls(found, salvaged), gone: goneFrom(salvaged) };
  known.set(salvaged, read);
  return read;
}

function goneFrom(salvaged: readonly Message[]): readonly string[] {
  const keys = salvaged.flatMap(({ unread = [] }) => unread);
  return [
    ...(keys.length === 0 ? [] : [`its keys ${listed(keys)}`]),
    ...(salvaged.some(({ sealedOff }) => sealedOff) ? ['reasoning that nobody can read'] : []),
  ];
}

/** As many keys as are named; a message may have any number of them. */
const NAMED = 8;

function listed(keys: readonly string[]): string {
  const named = keys.slice(0, NAMED).join(', ');
  return keys.length > NAMED ? `${named} and ${String(keys.length - NAMED)} more` : named;
}

/** How far back the call of a result is looked for that was read again. */
const NEAR = 256;

/** Results that were read again get the name of their tool from their call, as those have it that came whole. */
function namedAfterCalls(found: Case, salvaged: readonly Message[]): readonly Message[] {
  const wanted = new Set(salvaged.flatMap(namelessId));
  if (wanted.size === 0) return salvaged;
  const tools = new Map<string, string>();
  const { message: end } = found.fact;
  for (let i = end - 1; i >= Math.max(0, end - NEAR) && tools.size < wanted.size; i -= 1) {
    const near = found.message(i);
    const parts = near.role === 'unreadable' ? found.salvage(i).flatMap((each) => each.parts) : near.parts;
    for (const part of parts) {
      if (part.kind === 'call' && wanted.has(part.callId) && !tools.has(part.callId)) tools.set(part.callId, part.tool);
    }
  }
  return salvaged.map((message) => {
    const [only, ...rest] = message.parts;
    const tool = tools.get(namelessId(message)[0] ?? '');
    return only?.kind !== 'result' || tool === undefined
      ? message
      : { ...message, parts: [{ ...only, tool }, ...rest] };
  });
}

/** The id of the call that a result without a name answers, where a message begins with one. */
function namelessId({ parts: [only] }: Message): string[] {
  return only?.kind === 'result' && only.tool === undefined && only.callId !== '' ? [only.callId] : [];
}

/** Leaves a message out. */
export function skip(found: Case): Proposal {
  const { message } = found.fact;
  const said = found.message(message).parts.some((part) => part.characters > 0);
  const note = 'left out a message that is not in the shape of its dialect';
  return { edits: [{ kind: 'message', message, messages: [] }], action: 'drop', loss: said ? 'lossy' : 'none', note };
}
