import type { Message, Part } from '../model/part.ts';
import type { Case } from '../model/rule.ts';
import { holdsSummary } from '../model/summary-message.ts';
import { TEXTS } from '../model/synthetic.ts';
import { wireOf } from './place.ts';

/**
 * Of requests in a row those that stay where only the newest is wanted. A request gives way to a later one in which
 * something is asked, and to nothing else: what a tool returned or the system said is no other version of a question.
 */
export function staying(found: Case, run: readonly number[]): ReadonlySet<number> {
  const newest = run.findLastIndex((message) => asks(found.message(message)));
  return new Set(run.filter((message, i) => i >= newest || mustStay(found.message(message))));
}

function asks({ parts }: Message): boolean {
  return parts.some((part) => !isTold(part) && !isSystemPrompt(part));
}

/** What a tool has answered is needed by its call, and a summary stands for everything before it. */
function mustStay(message: Message): boolean {
  return holdsSummary(message) || message.parts.some(isTold);
}

/** What a tool returned, or the system said, also where it had to become text of the user. */
function isTold(part: Part): boolean {
  if (part.kind === 'text') return part.text.startsWith(TEXTS.orphan) || part.text.startsWith(TEXTS.system);
  return part.kind === 'result';
}

export function isSystemPrompt(part: Part): boolean {
  const wire = wireOf(part);
  return (wire['part_kind'] ?? wire['partKind']) === 'system-prompt';
}
