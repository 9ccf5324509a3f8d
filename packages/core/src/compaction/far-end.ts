import { ask, readSafely } from '../model/read-safely.ts';
import { isRecord } from '../model/value.ts';
import type { Bench } from './gone.ts';

/** How many characters make a list too long, how many of these its end has, and how many of one result count. */
export type FarWish = { readonly characters: number; readonly ofEnd: number; readonly mostOfResult: number };

/**
 * Where the end of a list begins that has more than so many characters, which cost next to nothing to know; undefined
 * where it has no more. One result that is very long is nothing to give up for: it can be clamped.
 */
export function farEnd(source: readonly unknown[], wish: FarWish, { codec }: Bench): number | undefined {
  const atLeast = (wire: unknown): number => ask((given) => leastCharacters(given, wish), wire) ?? 0;
  for (const countIn of [atLeast, exactly]) {
    if (endOf(source, wish.characters, countIn) !== undefined) return endOf(source, wish.ofEnd, countIn);
  }
  return undefined;

  function exactly(wire: unknown, index: number): number {
    let sum = 0;
    for (const part of readSafely(codec, wire, index).parts) {
      // The bytes of media are not what they weigh, also where words stand beside them.
      if (part.kind === 'text') sum += part.text.length;
      else if (part.kind === 'result') sum += Math.min(part.characters, wish.mostOfResult);
      else if (part.kind !== 'media') sum += part.characters;
    }
    return sum;
  }
}

/** The last place behind which there are more than so many characters. */
function endOf(
  source: readonly unknown[],
  characters: number,
  countIn: (wire: unknown, index: number) => number,
): number | undefined {
  let left = characters;
  for (let index = source.length - 1; index >= 0; index -= 1) {
    left -= countIn(source[index], index);
    if (left < 0) return index;
  }
  return undefined;
}

/** What a message has at least, by the texts that stand in it where nearly all dialects have them. */
function leastCharacters(wire: unknown, { mostOfResult }: FarWish): number {
  const content = isRecord(wire) ? wire['content'] : undefined;
  if (typeof content === 'string') return Math.min(content.length, mostOfResult);
  if (!Array.isArray(content)) return 0;
  let sum = 0;
  for (const part of content as unknown[]) {
    const text = isRecord(part) ? (part['text'] ?? part['content']) : undefined;
    if (typeof text === 'string') sum += Math.min(text.length, mostOfResult);
  }
  return sum;
}
