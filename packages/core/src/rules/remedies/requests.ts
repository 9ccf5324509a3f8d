import type { Message, Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { holdsSummary } from '../../model/summary-message.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { wireOf } from './place.ts';

/**
 * Of requests in a row those that stay where only the newest is wanted: what the system said, or what had to become
 * words of the user, is no newer version of a question.
 */
export function staying(found: Case, run: readonly number[]): ReadonlySet<number> {
  const newest = run.findLastIndex((message) => asks(found.message(message)));
  return new Set(run.filter((message, i) => i >= newest || mustStay(found.message(message))));
}

function asks({ parts }: Message): boolean {
  return parts.some((part) => !isQuoted(part) && !isSystemPrompt(part));
}

/** What a tool has answered is needed by its call, and a summary stands for everything before it. */
function mustStay(message: Message): boolean {
  return holdsSummary(message) || message.parts.some((part) => part.kind === 'result' || isQuoted(part));
}

/** What a tool returned, or the system said, where it had to become text of the user. */
function isQuoted(part: Part): boolean {
  return part.kind === 'text' && (part.text.startsWith(TEXTS.orphan) || part.text.startsWith(TEXTS.system));
}

export function isSystemPrompt(part: Part): boolean {
  const wire = wireOf(part);
  return (wire['part_kind'] ?? wire['partKind']) === 'system-prompt';
}
