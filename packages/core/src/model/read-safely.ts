import type { Codec } from './codec.ts';
import type { Message, Part } from './part.ts';
import { mend } from './value.ts';

/** Reads what can be read of a message in no known shape, from an inert copy where it throws. */
export function salvageEntries(codec: Codec, wire: unknown, index: number): readonly Message[] {
  const message = salvageSafely(codec, wire, index);
  if (message === undefined) return [];
  const whole = codec.wholePairs === true ? [message] : apart(message, codec.results);
  const [first = message, ...others] = whole.flatMap((each) => codec.divide?.(each) ?? [each]);
  const { unread, sealedOff } = message;
  if (unread === undefined && sealedOff === undefined) return [first, ...others];
  return [{ ...first, ...(unread && { unread }), ...(sealedOff && { sealedOff }) }, ...others];
}

/** Results in messages of their own, in the order in which they came, where they stand in one of somebody else. */
function apart(message: Message, results: 'user' | 'tool'): readonly Message[] {
  const { parts, role, at } = message;
  if (!parts.some(isResult) || isCarrier(message, results)) return [message];
  const messages: Message[] = [];
  let run: Part[] = [];
  const end = (): void => {
    if (run.length > 0) messages.push({ role: role === 'tool' ? 'user' : role, parts: run, at });
    run = [];
  };
  for (const part of parts) {
    if (isResult(part)) {
      end();
      messages.push({ role: results, parts: [part], at });
    } else run.push(part);
  }
  end();
  return messages;
}

/** True for a message that may hold what it holds: all that a user says, or nothing but one result. */
function isCarrier({ role, parts }: Message, results: 'user' | 'tool'): boolean {
  if (role !== results) return false;
  return role === 'user' || parts.length === 1 || parts.some(({ kind }) => kind === 'opaque');
}

function isResult(part: Part): boolean {
  return part.kind === 'result' && !part.server;
}

/** The same as one message, whatever it will be written as. */
export function salvageSafely(codec: Codec, wire: unknown, index: number): Message | undefined {
  try {
    return codec.salvage(wire, index);
  } catch {
    return codec.salvage(mend(wire), index);
  }
}

/** Reads a message; one that throws when it is read is read from an inert copy. */
export function readSafely(codec: Codec, wire: unknown, index: number): Message {
  try {
    return codec.read(wire, index);
  } catch {
    return codec.read(mend(wire), index);
  }
}

/** What a question finds out about a value; one that throws when it is read says nothing. */
export function ask<V, A>(question: (value: V) => A | undefined, value: V): A | undefined {
  try {
    return question(value);
  } catch {
    return undefined;
  }
}
