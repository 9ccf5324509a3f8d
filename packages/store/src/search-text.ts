import { decodeRecord } from './record.ts';

const word = /[\p{L}\p{N}]+/gu;

/** The words of a text as they are searched by: runs of letters and digits, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}

/** More text than this of one record is not searched: an index must not be larger than what people wrote. */
const mostCharacters = 1_000_000;

const beforeData = /^data:[^,]{0,100},/;
const notEncoded = /[^\w+/=-]/;
const shortestEncoded = 200;

/**
 * Signatures, images and other things in base64, which nobody looks for. One character that is none is looked for,
 * because a pattern for all of them keeps a place for each, and finds no room for those of a large document.
 */
function isEncoded(text: string): boolean {
  if (text.length < shortestEncoded) return false;
  const data = text.replace(beforeData, '');
  return data.length >= shortestEncoded && !notEncoded.test(data);
}

/** Keys whose values say how something is written, and not what: every record would be found by them. */
const formal: ReadonlySet<string> = new Set(['type', 'role', 'dialect']);

/** Every string inside a value except those that are no text; a list instead of recursion, for values of any depth. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [value];
  let characters = 0;
  while (waiting.length > 0 && characters < mostCharacters) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      if (isEncoded(next)) continue;
      found.push(next.slice(0, mostCharacters - characters));
      characters += next.length;
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next).reverse()) if (!formal.has(key)) waiting.push(inner);
    }
  }
  return found;
}

/** The words that a record is found by: all text in it, with ids and names of tools. */
export function searchText(record: { readonly id: string; readonly data: unknown }): string {
  return wordsOf([record.id, ...stringsIn(record.data)].join('\n')).join(' ');
}

/** The same for stored bytes; nothing for bytes that are no record. */
export function textOfBytes(bytes: Uint8Array): string {
  const record = decodeRecord(bytes);
  return record === undefined ? '' : searchText(record);
}

/** Whether a stored record has, for every word asked for, one that begins with it. For drivers without an index. */
export function isFound(bytes: Uint8Array, words: readonly string[]): boolean {
  const text = ` ${textOfBytes(bytes)}`;
  return words.every((word) => text.includes(` ${word}`));
}
