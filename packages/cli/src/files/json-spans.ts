import { endOfString } from './json-string.ts';

/** Where an element of an array, or a key with its value, lies in a JSON text. */
export interface Span {
  readonly index: number;
  readonly key?: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** An array or object in a JSON text: the places of its brackets and of what is in it. */
export interface Container {
  readonly open: number;
  readonly close: number;
  readonly spans: readonly Span[];
}

/** Where the blanks end that begin here. */
export function blankEnd(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}

const structural = /["{}[\]]/g;

function skipNested(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    structural.lastIndex = at;
    const found = structural.exec(text);
    if (found === null) return text.length;
    at = found.index + 1;
    if (found[0] === '"') at = endOfString(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
  } while (depth > 0);
  return at;
}

/** Where the value ends that begins here; with the text where it is cut off. */
export function valueEnd(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return endOfString(text, from);
  if (first === '{' || first === '[') return skipNested(text, from);
  let at = from;
  while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Finds what lies directly in the array or object that starts at or after `from`, in a text known to be valid JSON. */
export function spansOf(text: string, from: number): Container {
  const open = blankEnd(text, from);
  const keyed = text.charAt(open) === '{';
  const spans: Span[] = [];
  let at = blankEnd(text, open + 1);
  while (text.charAt(at) !== (keyed ? '}' : ']')) {
    const start = at;
    const keyEnd = keyed ? endOfString(text, start) : start;
    const valueStart = keyed ? blankEnd(text, blankEnd(text, keyEnd) + 1) : start;
    const end = valueEnd(text, valueStart);
    const key = keyed ? { key: JSON.parse(text.slice(start, keyEnd)) as string } : {};
    spans.push({ index: spans.length, ...key, start, valueStart, end });
    at = blankEnd(text, end);
    if (text.charAt(at) === ',') at = blankEnd(text, at + 1);
  }
  return { open, close: at, spans };
}
