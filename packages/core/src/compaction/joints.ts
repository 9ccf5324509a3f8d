import { CodecMemory } from '../model/codec-memory.ts';
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

/** A message that is to be joined to one it did not follow before. */
export type Joined = { readonly wire: unknown; readonly role: Role; readonly follows: boolean };

/**
 * Puts messages behind one another. Where two meet that did not before, the one who would speak twice is interrupted,
 * because some providers refuse that, and because a request in front of another is taken for one that was given up.
 * What was put between is also given by itself.
 */
export function join(messages: readonly Joined[], codec: Codec): { list: unknown[]; between: unknown[] } {
  const list: unknown[] = [];
  const between: unknown[] = [];
  const memory = new CodecMemory();
  let before: Role | undefined;
  for (const { wire, role, follows } of messages) {
    const needed = follows || before === undefined ? undefined : connector(before, role);
    if (needed !== undefined) {
      const made = codec.write(needed, list, memory);
      between.push(made);
      list.push(made);
    }
    list.push(wire);
    before = role;
  }
  return { list, between };
}

function connector(before: Role, next: Role): Message | undefined {
  if (before === 'system') return undefined;
  if (next === 'user' && before !== 'assistant') return ACKNOWLEDGEMENT;
  return next === 'assistant' && before === 'assistant' ? said('user', TEXTS.resumed) : undefined;
}

function said(role: Role, text: string): Message {
  return { role, parts: [textPart(text, 0)], at: -1 };
}
