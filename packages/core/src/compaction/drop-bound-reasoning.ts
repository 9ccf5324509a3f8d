import type { Codec } from '../model/codec.ts';
import { textPart, type Message, type Part } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { TEXTS } from '../model/synthetic.ts';
import type { Gone, Shortened } from './step.ts';

const NOTE = 'reasoning bound to the bytes before it was left out, because those bytes have changed';

/**
 * Takes out reasoning from a place on, for models that bind it to everything before it. A message that was nothing else
 * says that something was thought, so that whoever speaks before and after it do not meet.
 */
export function dropBoundReasoning(list: readonly unknown[], from: number, codec: Codec): Shortened {
  const gone: Gone[] = [];
  let next: unknown[] | undefined;
  for (let i = from; i < list.length; i += 1) {
    const message = readSafely(codec, list[i], i);
    if (!message.parts.some(isReasoning)) continue;
    next ??= [...list];
    next[i] = codec.write(withoutReasoning(message), list);
    gone.push({ from: i, to: i + 1, what: 'reasoning', note: NOTE });
  }
  return { list: next ?? list, gone };
}

function isReasoning({ kind }: Part): boolean {
  return kind === 'reasoning';
}

function withoutReasoning(message: Message): Message {
  const parts = message.parts.filter((part) => !isReasoning(part));
  return { ...message, parts: parts.length === 0 ? [textPart(TEXTS.thought, 0)] : parts };
}
