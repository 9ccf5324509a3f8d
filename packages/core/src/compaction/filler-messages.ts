import type { Codec } from '../model/codec.ts';
import { textPart, type Message, type Role } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';

/** What the assistant says to a summary where the next words are the user's again. */
export const ACKNOWLEDGED = 'Understood. I go on from this summary.';

/** The same as a message. */
export const ACKNOWLEDGEMENT: Message = said('assistant', ACKNOWLEDGED);

/** True for the words that stand between a summary and the user; they are nobody's talk. */
export function isAcknowledgement({ role, parts }: Message): boolean {
  const [only] = parts;
  return role === 'assistant' && parts.length === 1 && only?.kind === 'text' && only.text === ACKNOWLEDGED;
}

/** A message that is to stand in a list, and the place that it had before. */
export type Piece = { readonly wire: unknown; readonly role: Role; readonly place: number };

/**
 * Puts messages behind one another. Where two meet that did not before, the one who would speak twice is interrupted,
 * because some providers refuse that, and because a request in front of another is taken for one that was given up.
 */
export function withFillers(pieces: readonly Piece[], codec: Codec): { list: unknown[]; fillers: unknown[] } {
  const list: unknown[] = [];
  const fillers: unknown[] = [];
  pieces.forEach(({ wire, role, place }, index) => {
    const before = pieces[index - 1];
    const filler = before === undefined || before.place === place - 1 ? undefined : fillerBetween(before.role, role);
    if (filler !== undefined) {
      const made = codec.write(filler, list);
      fillers.push(made);
      list.push(made);
    }
    list.push(wire);
  });
  return { list, fillers };
}

function fillerBetween(before: Role, next: Role): Message | undefined {
  if (before === 'system') return undefined;
  if (next === 'user' && before !== 'assistant') return ACKNOWLEDGEMENT;
  return next === 'assistant' && before === 'assistant' ? said('user', TEXTS.resumed) : undefined;
}

function said(role: Role, text: string): Message {
  return { role, parts: [textPart(text, 0)], at: -1 };
}
