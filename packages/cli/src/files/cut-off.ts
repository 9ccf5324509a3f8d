import { blankEnd, valueEnd } from './json-spans.ts';
import { endOfString } from './json-string.ts';
import { listKeys } from './message-list.ts';

/** What can be read of a JSON text that is cut off: its beginning, ended where it is whole. */
export interface Mended {
  readonly text: string;
  /** How much of the original it begins with. */
  readonly kept: number;
}

/** Where in the text the parser gave up, as far as its message says so. */
export function errorPosition(error: string): number | undefined {
  const found = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(error);
  return found === null ? undefined : Number(found[1]);
}

/** Does the text end in the middle of a value? `error` is what the parser says about it. */
export function isCutOff(text: string, error: string): boolean {
  const endsEarly = error === 'Unexpected end of JSON input' || error.startsWith('Unterminated string');
  const position = errorPosition(error) ?? -1;
  return /^\s*[[{]/.test(text) && (endsEarly || position >= text.trimEnd().length);
}

/** A number or a word at the very end may have gone on; a list or an object that is closed has not. */
function isClosed(value: string): boolean {
  try {
    return /^[[{]/.test(value) && JSON.parse(value) !== null;
  } catch {
    return false;
  }
}

/** An entry of a list or an object, from its key or its value on; none where not even a value begins. */
interface Entry {
  readonly key?: string;
  readonly valueStart: number;
}

function entryAt(text: string, start: number, keyed: boolean): Entry | undefined {
  if (!keyed) return start < text.length ? { valueStart: start } : undefined;
  const keyEnd = endOfString(text, start);
  const colon = blankEnd(text, keyEnd);
  const valueStart = blankEnd(text, colon + 1);
  if (text.charAt(colon) !== ':' || valueStart >= text.length) return undefined;
  return { key: JSON.parse(text.slice(start, keyEnd)) as string, valueStart };
}

/** How far a list or an object goes that is never closed: the end of what is whole, and what is torn behind it. */
interface Reach {
  readonly end: number;
  readonly keys: readonly (string | undefined)[];
  readonly torn?: Entry;
}

function reachOf(text: string, open: number): Reach {
  const keys: (string | undefined)[] = [];
  let end = open + 1;
  for (let start = blankEnd(text, end); start < text.length;) {
    const entry = entryAt(text, start, text.charAt(open) === '{');
    if (entry === undefined) break;
    const { valueStart } = entry;
    const stop = valueEnd(text, valueStart);
    const next = blankEnd(text, stop);
    if (next >= text.length && !isClosed(text.slice(valueStart, stop))) return { end, keys, torn: entry };
    keys.push(entry.key);
    end = stop;
    start = blankEnd(text, next + 1);
  }
  return { end, keys };
}

/** The bracket that closes what was opened, on a line of its own where the first entry has one. */
function closing(text: string, open: number): string {
  const bracket = text.charAt(open) === '[' ? ']' : '}';
  if (!text.slice(open, blankEnd(text, open + 1)).includes('\n')) return bracket;
  const line = text.slice(text.lastIndexOf('\n', open) + 1, open);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return `${text.includes('\r\n') ? '\r\n' : '\n'}${indent}${bracket}`;
}

/** Of an object, with as much as is whole of the list that was being written when it was cut off. */
function mendedBody(text: string, open: number): Mended | undefined {
  const { end, keys, torn } = reachOf(text, open);
  const isList = (key: string | undefined): boolean => listKeys.some((name) => name === key);
  if (torn !== undefined && text.charAt(torn.valueStart) === '[') {
    const list = reachOf(text, torn.valueStart);
    const isOfUse = isList(torn.key) || keys.some(isList);
    if (isOfUse && list.keys.length > 0) {
      const ended = text.slice(0, list.end) + closing(text, torn.valueStart) + closing(text, open);
      return { text: ended, kept: list.end };
    }
  }
  return keys.some(isList) ? { text: text.slice(0, end) + closing(text, open), kept: end } : undefined;
}

function mendedList(text: string, open: number): Mended | undefined {
  const { end, keys } = reachOf(text, open);
  return keys.length === 0 ? undefined : { text: text.slice(0, end) + closing(text, open), kept: end };
}

/** Ends a text that is cut off behind the last message that is whole; nothing where none of them is. */
export function mendCutOff(text: string): Mended | undefined {
  const open = blankEnd(text, 0);
  const mended = text.charAt(open) === '[' ? mendedList(text, open) : mendedBody(text, open);
  if (mended === undefined) return undefined;
  const lineEnd = /\r?\n[\]}]$/.test(mended.text) ? (text.includes('\r\n') ? '\r\n' : '\n') : '';
  return { ...mended, text: mended.text + lineEnd };
}

/** Without the zeros that a power cut leaves behind what was written. */
export function withoutZeros(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '\0') end -= 1;
  return text.slice(0, end);
}
