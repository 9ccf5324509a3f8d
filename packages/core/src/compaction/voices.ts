import type { Codec } from '../model/codec.ts';
import type { Part } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isBlank, isRecord } from '../model/value.ts';
import { isContextText } from './context-text.ts';
import { isSummaryText } from '../model/summary-message.ts';

/** Who a message is from: a person, a program that speaks as one, a summary, or anybody else. */
export type Voice = 'user' | 'context' | 'summary' | 'other';

/** Who is heard in a message, and whether there is a summary in it. */
export type Heard = { readonly voice: Voice; readonly summary: boolean };

const SUMMARY: Heard = { voice: 'summary', summary: true };
const CONTEXT: Heard = { voice: 'context', summary: false };
const PERSON: Heard = { voice: 'user', summary: false };

/** Who is heard in a message in the name of the user that says something and carries no results. */
export function hear(wire: unknown, index: number, codec: Codec): Heard {
  const text = onlyText(wire);
  return text === undefined ? hearParts(readSafely(codec, wire, index).parts) : hearText(text);
}

/** True where a person says something beside the results that a message carries, and no program alone. */
export function isThrownIn(wire: unknown, index: number, codec: Codec): boolean {
  return readSafely(codec, wire, index).parts.some(
    (part) => part.kind === 'text' && !isBlank(part.text) && hearText(part.text) === PERSON,
  );
}

/** The text of a message that is nothing else, in the forms that nearly all have; the codec knows the others. */
function onlyText(wire: unknown): string | undefined {
  const { content, parts } = Object(wire) as Readonly<Record<string, unknown>>;
  const held = content ?? parts;
  if (typeof held === 'string') return held;
  const only: unknown = Array.isArray(held) && held.length === 1 ? held[0] : undefined;
  const text = isRecord(only) ? only['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function hearText(text: string): Heard {
  if (isSummaryText(text)) return SUMMARY;
  return isContextText(text) ? CONTEXT : PERSON;
}

/** A summary that a person's words were joined to is a person's, and a summary all the same. */
function hearParts(parts: readonly Part[]): Heard {
  const heard = parts.flatMap((part) => {
    if (part.kind === 'media') return PERSON;
    return part.kind === 'text' ? hearText(part.text) : [];
  });
  const summary = heard.includes(SUMMARY);
  if (heard.includes(PERSON)) return { voice: 'user', summary };
  return summary ? SUMMARY : CONTEXT;
}
