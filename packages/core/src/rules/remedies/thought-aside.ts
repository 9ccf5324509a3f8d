import { dropPart, replacePart, type Edit } from '../../model/edit.ts';
import { textPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { isBlank } from '../../model/value.ts';
import { wireOf } from './place.ts';

type PartEdit = Extract<Edit, { kind: 'part' }>;

/** Reasoning that is an entry of its own as text that says what it is; none where nobody can read it. */
export function setAsideAt(found: Case, message: number): PartEdit {
  const at = { message, part: 0 };
  const [part] = found.message(message).parts;
  const text = part?.kind === 'reasoning' ? part.text.toWellFormed() : '';
  if (part === undefined || isBlank(text)) return dropPart(at);
  return replacePart(at, textPart(`${TEXTS.reasoning}\n${text}`, part.characters, part.at));
}

/**
 * Sets the thoughts aside that stand before calls which go, where another thought follows: nobody could see any more
 * that nothing is left of what came of them. The calls are all entries from one place up to another.
 */
export function thoughtsOfGone(found: Case, from: number, to: number): readonly Edit[] {
  if (found.profile.pairs !== 'anywhere' || !isNamedThought(found, to)) return [];
  const edits: Edit[] = [];
  for (let message = from - 1; isNamedThought(found, message); message -= 1) edits.push(setAsideAt(found, message));
  return edits;
}

function isNamedThought(found: Case, message: number): boolean {
  if (message < 0 || message >= found.count) return false;
  const entry = found.message(message);
  return entry.parts[0]?.kind === 'reasoning' && typeof wireOf(entry)['id'] === 'string';
}
