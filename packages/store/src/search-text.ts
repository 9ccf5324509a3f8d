import { decodeRecord } from './record.ts';

const word = /[\p{L}\p{N}]+/gu;

/** The searchable words of a text: runs of letters and digits, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}

/** Searchable characters per record, so that the index never outgrows the text people wrote. */
const mostCharacters = 1_000_000;

const beforeData = /^data:[^,]{0,100},/;
const notEncoded = /[^\w+/=-]/;
const shortestEncoded = 200;

/**
 * Detects base64: signatures, images and the like. It searches for one character outside the alphabet, because a
 * pattern over the whole text overflows on large documents.
 */
function isEncoded(text: string): boolean {
  if (text.length < shortestEncoded) return false;
  const data = text.replace(beforeData, '');
  return data.length >= shortestEncoded && !notEncoded.test(data);
}

/** Keys with format names as values, which would match every record. */
const formal: ReadonlySet<string> = new Set(['type', 'role', 'dialect']);

/** Collects every searchable string inside a value, iteratively, so that any depth works. */
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

/** The words of a record: all its text, ids and tool names. */
export function searchText(record: { readonly id: string; readonly data: unknown }): string {
  return wordsOf([record.id, ...stringsIn(record.data)].join('\n')).join(' ');
}

/** The same for stored bytes; empty if they are not a record. */
export function textOfBytes(bytes: Uint8Array): string {
  const record = decodeRecord(bytes);
  return record === undefined ? '' : searchText(record);
}

/** Whether, for every query word, the record has a word that starts with it. For drivers without an index. */
export function isFound(bytes: Uint8Array, words: readonly string[]): boolean {
  const text = ` ${textOfBytes(bytes)}`;
  return words.every((word) => text.includes(` ${word}`));
}
