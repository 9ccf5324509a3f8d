import type { Codec } from '../model/codec.ts';
import type { Message, Part } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { charactersOf, isRecord, isWhole, readableJson } from '../model/value.ts';
import { mediaIn } from './media-in.ts';
import type { TokenCounter } from './tokens.ts';

/** Tokens around a text: who speaks, and where the message begins and ends. */
const PER_MESSAGE = 4;
const PER_CALL = 8;
const PER_RESULT = 6;

/** Providers charge for what media show, not for their bytes; these are figures for something of ordinary size. */
const PER_MEDIUM: readonly (readonly [what: RegExp, tokens: number])[] = [
  [/image|screenshot/, 1_500],
  [/audio/, 1_000],
  [/video/, 5_000],
];
const PER_OTHER_MEDIUM = 3_000;
/** A part that is shorter than this names what it means and does not hold it. */
const LONGEST_REFERENCE = 2_000;
const ENCODED = /^(?:data:[^,]{0,200},|[A-Za-z0-9+/_-]{64,}={0,2}$)/;
/** What is sealed was text of about four characters a token before it was sealed and written in base64. */
const SEALED_PER_TOKEN = 6;

/** Counts the tokens of a message, read through the codec of its dialect; never throws. */
export function messageTokens(wire: unknown, codec: Codec, count: TokenCounter): number {
  return partsTokens(readSafely(codec, wire, 0), count);
}

/** The same for a message that has been read. */
export function partsTokens({ parts }: Message, count: TokenCounter): number {
  let sum = PER_MESSAGE;
  for (const part of parts) sum += partTokens(part, count);
  return sum;
}

function partTokens(part: Part, count: TokenCounter): number {
  switch (part.kind) {
    case 'text':
      return textTokens(part, count);
    case 'reasoning':
      return part.text === '' ? Math.ceil(charactersOf(part.wire) / SEALED_PER_TOKEN) : count(part.text);
    case 'call':
      return PER_CALL + count(part.tool) + count(jsonOf(part.input));
    case 'result':
      return PER_RESULT + (holdsMedia(part.wire) ? valueTokens(part.wire, count) : count(part.text));
    case 'media':
      return mediaPartTokens(part.wire, count);
    default:
      return valueTokens(part.wire, count);
  }
}

/** Where words and media stand in one list, the codec makes one text of them, and the media are counted as such. */
function textTokens({ text, wire }: Extract<Part, { kind: 'text' }>, count: TokenCounter): number {
  const held = isRecord(wire) ? wire['content'] : undefined;
  return Array.isArray(held) ? valueTokens(held, count) : count(text);
}

function holdsMedia(wire: unknown): boolean {
  return mediaIn(wire).length > 0;
}

function mediaPartTokens(wire: unknown, count: TokenCounter): number {
  // A document may be nothing but text, and then it is read as such.
  if (holdsMedia(wire) || charactersOf(wire) > LONGEST_REFERENCE) return valueTokens(wire, count);
  return mediumTokens(jsonOf(wire));
}

function mediumTokens(what: string): number {
  return PER_MEDIUM.find(([pattern]) => pattern.test(what))?.[1] ?? PER_OTHER_MEDIUM;
}

/** Counts the tokens of any JSON value: text as it is, media by their kind, and what is sealed by its length. */
export function valueTokens(value: unknown, count: TokenCounter): number {
  if (typeof value === 'string') return count(value);
  if (value === undefined) return 0;
  let encoded = 0;
  function bare(this: unknown, key: string, each: unknown): unknown {
    if (typeof each === 'string' && each.length >= 64 && ENCODED.test(each)) {
      encoded += each.length;
      return '';
    }
    if (typeof each !== 'object' || each === null) return each;
    // Some bytes make an object of themselves before they get here.
    const held: unknown = Reflect.get(Object(this), key);
    return isWhole(each) || (held !== each && isWhole(Object(held))) ? '' : each;
  }
  const text = jsonOf(value, bare);
  let sum = count(text);
  for (const { what, characters } of mediaIn(value)) {
    sum += mediumTokens(what);
    encoded -= characters;
  }
  return sum + Math.ceil(Math.max(0, encoded) / SEALED_PER_TOKEN);
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** A value as JSON; a text stays what it is. What JSON cannot carry is made readable first. */
function jsonOf(value: unknown, replacer?: Replacer): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value, replacer) ?? '';
  } catch {
    return readableJson(value);
  }
}
