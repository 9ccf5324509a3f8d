import type { Proposal } from '../model/edit.ts';
import { textPart, type Part } from '../model/part.ts';
import type { Case } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

/** Turns a system message into a user message in its place, marked as what it was. */
export function foldSystem(found: Case): Proposal {
  const message = found.message(found.fact.message);
  const parts: Part[] = message.parts.map((part) =>
    part.kind === 'text' ? textPart(`${TEXTS.system} ${part.text}`, part.characters, part.at) : part,
  );
  const folded = { role: 'user' as const, parts: parts.filter((part) => part.kind === 'text'), at: message.at };
  return {
    edits: [{ kind: 'message', message: found.fact.message, messages: [folded] }],
    action: 'demote',
    loss: 'none',
    note: 'turned a system message into a user message marked as such',
  };
}
