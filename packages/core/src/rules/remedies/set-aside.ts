import { dropPart, replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import { textPart, type ResultPart, type TextPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { isPlaceholder, TEXTS } from '../../model/synthetic.ts';
import { resultOf } from './batch.ts';
import { markerGone } from './cache-marker.ts';
import { spokenOf } from './place.ts';

/** Takes a result out of its place: quoted as text of the user, or removed where the policy says so. */
export function setAside(found: Case, why: string): Proposal {
  const { message, part = 0 } = found.fact;
  const at = { message, part };
  const result = resultOf(found, found.fact);
  const removed = `removed ${spokenOf('result', result.callId)}: ${why}`;
  if (isPlaceholder(result.text)) return dropInvented(at, result, removed);
  if (found.policy.orphanResult === 'remove') {
    return { edits: [dropPart(at)], action: 'drop', loss: 'lossy', note: removed };
  }
  const quote = quoteResult(result);
  const note = `quoted ${spokenOf('result', result.callId)} as text of the user: ${why}${markerGone(result)}`;
  return { edits: [quoteInPlace(found, at, quote)], action: 'demote', loss: 'none', note };
}

/** Removes a result that we invented: nothing that anybody said is lost with it. */
export function dropInvented(
  at: { message: number; part: number },
  { characters }: ResultPart,
  note: string,
): Proposal {
  return { edits: [{ ...dropPart(at), elsewhere: characters }], action: 'drop', loss: 'none', note };
}

/** Puts quoted text where a result stood; a message of one result becomes the user's, others are divided later. */
export function quoteInPlace(
  found: Case,
  at: { message: number; part: number; from?: number },
  quote: readonly TextPart[],
): Edit {
  const source = found.message(at.message);
  if (source.role !== 'tool' || source.parts.length > 1) return replacePart(at, ...quote);
  const messages = [{ role: 'user' as const, parts: quote, at: found.message(at.from ?? at.message).at }];
  return { kind: 'message', message: at.message, messages };
}

/** A result as text; media inside it cannot be quoted and is named by its JSON. */
export function quoteResult(result: ResultPart): TextPart[] {
  const text = `${TEXTS.orphan} ${result.text.toWellFormed()}`;
  return [textPart(text, result.characters, result.at)];
}
