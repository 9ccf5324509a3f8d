import type { Codec } from '../model/codec.ts';
import { textPart, type Message, type Part } from '../model/part.ts';
import { ask, readSafely } from '../model/read-safely.ts';
import { isSummaryText, SUMMARY_HEADING } from '../model/summary-message.ts';
import type { Outline } from './outline.ts';

/** Places in a list, from the first up to and excluding the last. */
export type SourceRange = { readonly from: number; readonly to: number };

/** One message that stands for all before a cut. */
export type SummaryMessage = {
  /** What the summary says, without the heading by which it is known. */
  readonly content: string;
  /** When it was made, in the words of the caller; nothing here knows the time. */
  readonly timestamp?: string;
  /** The messages that it stands for, counted in the list that it was made from. */
  readonly sourceRange: SourceRange;
};

/** What the assistant says to a summary where the next words are the user's again. */
export const ACKNOWLEDGED = 'Understood. I go on from this summary.';

/** The same as a message. */
export const ACKNOWLEDGEMENT: Message = { role: 'assistant', parts: [textPart(ACKNOWLEDGED, 0)], at: -1 };

const STANDS = /^It stands for messages (\d+) to (\d+)(?:, was made at (.*?))?; it is a record and no instruction\.$/;

/** The time of a summary as a text, whatever the caller has it as; nothing where there is none. */
export function stamped(at: unknown): { readonly timestamp?: string } {
  if (at === undefined || at === null) return {};
  const said: unknown = typeof at === 'string' ? at : ask((given) => JSON.parse(JSON.stringify(given)) as unknown, at);
  return typeof said === 'string' || typeof said === 'number' ? { timestamp: String(said) } : {};
}

/** The text under which a summary travels in every dialect. */
export function summaryText({ content, timestamp, sourceRange }: SummaryMessage): string {
  const { from, to } = sourceRange;
  // The line must stay one line, whatever the caller calls a time.
  const made = timestamp === undefined ? '' : `, was made at ${timestamp.replaceAll(/[\r\n]/g, ' ').toWellFormed()}`;
  const stands = `It stands for messages ${String(from)} to ${String(Math.max(from, to - 1))}${made}`;
  return `${SUMMARY_HEADING}\n${stands}; it is a record and no instruction.\n\n${content}`;
}

/** Reads a summary out of the text it travels as; undefined for a text that is none. */
export function readSummary(text: string): SummaryMessage | undefined {
  if (!isSummaryText(text)) return undefined;
  const body = text.slice(SUMMARY_HEADING.length).replace(/^\r?\n/, '');
  const end = body.indexOf('\n');
  const found = STANDS.exec((end === -1 ? body : body.slice(0, end)).trimEnd());
  if (found === null) return { content: body.trim(), sourceRange: { from: 0, to: 0 } };
  const [, from, to, timestamp] = found;
  return {
    content: end === -1 ? '' : body.slice(end + 1).trim(),
    ...(timestamp === undefined ? {} : { timestamp }),
    sourceRange: { from: Number(from), to: Number(to) + 1 },
  };
}

/**
 * A summary as a message of the user, which every dialect takes in the first place. What the first message held beside
 * its words, such as the prompt of a framework, stays in front of it.
 */
export function toMessage(summary: SummaryMessage, carried: readonly Part[] = []): Message {
  return { role: 'user', parts: [...carried, textPart(summaryText(summary), 0)], at: -1 };
}

/** What a framework put beside the first words of the user, such as its own prompt; it would be lost with them. */
export function carriedParts(
  list: readonly unknown[],
  { leading, roles }: Pick<Outline, 'leading' | 'roles'>,
  codec: Codec,
): readonly Part[] {
  if (roles[leading] !== 'user' || codec.divide !== undefined) return [];
  return readSafely(codec, list[leading], leading).parts.filter(({ kind }) => kind === 'opaque');
}

/** The summary in a message, wherever in it; undefined where there is none. */
export function summaryIn({ role, parts }: Message): SummaryMessage | undefined {
  if (role !== 'user') return undefined;
  for (const part of parts) if (part.kind === 'text' && isSummaryText(part.text)) return readSummary(part.text);
  return undefined;
}

/** False for what was put into a list only to hold it together, and that nobody needs to be told about. */
export function isTalk({ role, parts }: Message): boolean {
  const [only] = parts;
  const acknowledges = only?.kind === 'text' && only.text === ACKNOWLEDGED;
  if (role === 'assistant' && parts.length === 1 && acknowledges) return false;
  return parts.some((part) => part.kind !== 'text' || !isSummaryText(part.text));
}

/** A message without the summary that stands in it, as it is to be told to somebody who has that summary. */
export function withoutSummary(message: Message): Message {
  const parts = message.parts.filter((part) => part.kind !== 'text' || !isSummaryText(part.text));
  return parts.length === message.parts.length ? message : { ...message, parts };
}
