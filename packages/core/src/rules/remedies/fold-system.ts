import type { Proposal } from '../../model/edit.ts';
import { textPart, type Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { readableJson } from '../../model/value.ts';

/** Turns a system message into a user message in its place, marked as what it was. */
export function foldSystem(found: Case): Proposal {
  const message = found.message(found.fact.message);
  const quote = (part: Part): Part => {
    // What else is said about a text stays with it.
    if (part.kind === 'text') return { ...part, text: `${TEXTS.system} ${part.text}`, edited: true };
    return textPart(`${TEXTS.system} ${readableJson(part.wire)}`, part.characters, part.at);
  };
  const folded = { role: 'user' as const, parts: message.parts.map(quote), at: message.at };
  return {
    edits: [{ kind: 'message', message: found.fact.message, messages: [folded] }],
    action: 'demote',
    loss: 'none',
    note: 'turned a system message into a user message marked as such',
  };
}

/** True for a request that says itself that system messages may stand in its list. */
export function allowsSystem({ body }: Case): boolean {
  return body?.['allowSystemInMessages'] === true;
}
