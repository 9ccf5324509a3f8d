import { ask } from './model/read-safely.ts';
import { isRecord, readKey } from './model/value.ts';

/** Where errors of clients and bodies of answers have their words. */
const KEYS = [
  'message',
  'msg',
  'error',
  'errors',
  'detail',
  'body',
  'data',
  'response',
  'metadata',
  'raw',
  'cause',
  'responseBody',
] as const;
/** Names that say more than the words beside them. */
const CODES = ['code', 'type', 'param'] as const;
const MAX_DEPTH = 6;
const LONGEST = 20_000;

/** The words of a refusal, wherever they are: in a text, in the JSON of an answer, or in the error of a client. */
export function refusalText(refusal: unknown): string {
  const words: string[] = [];
  gather(refusal, words, 0);
  return [...new Set(words)].join('\n').slice(0, LONGEST).toWellFormed();
}

/** What throws when it is looked at has no words; what stands beside it has. */
function gather(value: unknown, words: string[], depth: number): void {
  if (depth <= MAX_DEPTH) ask(() => gatherWithin(value, words, depth), value);
}

function gatherWithin(value: unknown, words: string[], depth: number): void {
  if (typeof value === 'string') return gatherText(value, words, depth);
  if (Array.isArray(value)) {
    for (const each of (value as unknown[]).slice(0, 20)) gather(each, words, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  for (const key of KEYS) gather(readKey(value, key), words, depth + 1);
  for (const key of CODES) {
    const code = readKey(value, key);
    if (typeof code === 'string' && depth > 0) words.push(code);
  }
}

/** A text may be JSON, or end in it: clients put the status before the body. */
function gatherText(text: string, words: string[], depth: number): void {
  const start = text.search(/[[{]/);
  const json = start === -1 || start > 40 ? undefined : parse(text.slice(start));
  const said = words.length;
  if (json !== undefined) gather(json, words, depth + 1);
  // A list of numbers at the end of a sentence is JSON too, and says nothing.
  // Gateways put an answer into a sentence of their own, with its quotation marks escaped.
  if (words.length === said) words.push(text.replaceAll('\\"', '"'));
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
