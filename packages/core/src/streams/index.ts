import type { Accumulator, Wire } from '../dialects/accumulator.ts';
import { AnthropicMessages } from '../dialects/anthropic-messages/stream.ts';
import { Gemini } from '../dialects/gemini/stream.ts';
import { OpenaiChat } from '../dialects/openai-chat/stream.ts';
import { OpenaiResponses } from '../dialects/openai-responses/stream.ts';

export type { Accumulator, Wire } from '../dialects/accumulator.ts';

const STREAMS = {
  'anthropic-messages': () => new AnthropicMessages(),
  'openai-chat': () => new OpenaiChat(),
  gemini: () => new Gemini(),
  'openai-responses': () => new OpenaiResponses(),
} as const;

/**
 * Takes the events of one answer; a Responses stream gives a list of items, every other stream one message.
 *
 * @example
 * const answer = createAccumulator('anthropic-messages');
 * for await (const event of stream) answer.push(event);
 */
export function createAccumulator<M = Wire[]>(dialect: 'openai-responses'): Accumulator<M>;
export function createAccumulator<M = Wire>(dialect: 'anthropic-messages' | 'openai-chat' | 'gemini'): Accumulator<M>;
export function createAccumulator<M>(dialect: keyof typeof STREAMS): Accumulator<M> {
  if (!Object.hasOwn(STREAMS, dialect)) {
    throw new TypeError(
      `there is no stream of ${JSON.stringify(dialect)}: there are ${Object.keys(STREAMS).join(', ')}`,
    );
  }
  return STREAMS[dialect]() as Accumulator<unknown> as Accumulator<M>;
}
