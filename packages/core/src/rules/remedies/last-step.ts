import type { Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { wireOf } from './place.ts';

/** What the model would be shown last: its own words, results, a turn it paused, or the user. */
type End = 'words' | 'results' | 'paused' | 'user' | 'nothing';

/** Parts that a framework shows no model, though they are no text, call or file. */
const SHOWN: ReadonlySet<unknown> = new Set(['custom', 'reasoning-file', 'steering-message']);

function isStepEnd(parts: readonly Part[], at: number): boolean {
  const { type } = wireOf(parts[at]);
  return type === 'step-start' || type === 'steering-message';
}

function isShown(part: Part): boolean {
  if (part.kind === 'text') return part.text !== '' || 'providerMetadata' in wireOf(part);
  return part.kind !== 'opaque' || SHOWN.has(wireOf(part)['type']);
}

type Range = { readonly from: number; readonly to: number };

/** Where the last answer stands in a message that may hold several, one for each step of the model. */
function lastStep(found: Case, parts: readonly Part[]): Range {
  const lastSteps = found.note('last steps', () => new Map<readonly Part[], Range>());
  let range = lastSteps.get(parts);
  if (range === undefined) {
    range = findLastStep(parts);
    lastSteps.set(parts, range);
  }
  return range;
}

function findLastStep(parts: readonly Part[]): Range {
  const to = parts.findLastIndex(isShown);
  let from = to;
  while (from > 0 && !isStepEnd(parts, from - 1) && !isStepEnd(parts, to)) from -= 1;
  return { from, to };
}

/** The step of the model that a part belongs to, in a message that may hold several. */
export function stepAround(parts: readonly Part[], part: number): Range {
  let from = part;
  let to = part;
  while (from > 0 && !isStepEnd(parts, from - 1)) from -= 1;
  while (to < parts.length - 1 && !isStepEnd(parts, to + 1)) to += 1;
  return { from, to };
}

/** True for a part behind which the model has said nothing in another step. */
export function isInLastStep(found: Case, { message, part }: { message: number; part: number }): boolean {
  const { from, to } = lastStep(found, found.message(message).parts);
  return part >= from && part <= to;
}

function endOf(found: Case, parts: readonly Part[]): End {
  const { from, to } = lastStep(found, parts);
  const last = parts[to];
  if (last === undefined) return 'nothing';
  if (isStepEnd(parts, to)) return 'user';
  const step = parts.slice(from, to + 1);
  if (step.some((part) => part.kind === 'call' && !part.server)) return 'results';
  return last.kind === 'call' || last.kind === 'result' ? 'paused' : 'words';
}

/** What a list of messages that may hold several steps ends with. */
export function endOfList(found: Case): End {
  for (let i = found.count - 1; i >= 0; i -= 1) {
    const { role, parts } = found.message(i);
    if (role !== 'assistant') return 'user';
    const end = endOf(found, parts);
    if (end !== 'nothing') return end;
  }
  return 'nothing';
}
