import type { Message } from './part.ts';

/** The first line of every summary, exactly; it tells a summary from talk in every dialect. */
export const SUMMARY_HEADING = '[Summary of the earlier conversation]';

/** True for a text whose first line is the heading of a summary. */
export function isSummaryText(text: string): boolean {
  if (!text.startsWith(SUMMARY_HEADING)) return false;
  const next = text.charCodeAt(SUMMARY_HEADING.length);
  return Number.isNaN(next) || next === 10 || next === 13;
}

/** True for a message of the user in which a summary stands; nothing that only drops a request may drop it. */
export function holdsSummary({ role, parts }: Message): boolean {
  return role === 'user' && parts.some((part) => part.kind === 'text' && isSummaryText(part.text));
}
