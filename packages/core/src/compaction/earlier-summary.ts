import { ask } from '../model/read-safely.ts';
import { isRecord } from '../model/value.ts';
import type { Bench } from './gone.ts';
import { scanSafely, type Outline } from './outline.ts';
import { SpeechWalk } from './speech-walk.ts';
import { hear } from './voices.ts';

/** The newest summary before a place; -1 where there is none. What was not walked is looked through from its end. */
export function summaryBefore(
  list: readonly unknown[],
  place: number,
  { outline, codec, profile }: Pick<Bench, 'codec' | 'profile'> & { readonly outline: Outline },
): number {
  const found = outline.summaries.findLast((index) => index < place);
  if (found !== undefined) return found;
  const walk = new SpeechWalk(profile);
  for (let i = outline.from - 1; i >= 0; i -= 1) {
    const wire = list[i];
    if (ask(saysNothing, wire) === true || !scanSafely(codec, wire, walk)) continue;
    if (walk.mayBePerson && hear(wire, i, codec).summary) return i;
  }
  return -1;
}

/**
 * Only the words of a user are a summary, and in most dialects a message says at once that it holds none: it is
 * somebody else's, or a list of things that have no text.
 */
function saysNothing(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  const { role, content } = wire;
  if (role === 'assistant' || role === 'tool') return true;
  return role === 'user' && Array.isArray(content) && (content as unknown[]).every(hasNoText);
}

function hasNoText(part: unknown): boolean {
  return isRecord(part) && typeof part['text'] !== 'string';
}
