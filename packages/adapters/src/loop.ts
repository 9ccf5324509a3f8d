import { repair, type Evidence, type Repaired, type RepairOptions, type TargetInput } from '@rethread/core';

import type { Accumulator, Wire } from './streams/accumulator.ts';
import { AnthropicMessages } from './streams/anthropic-messages.ts';
import { Gemini } from './streams/gemini.ts';
import { OpenaiChat } from './streams/openai-chat.ts';
import { OpenaiResponses } from './streams/openai-responses.ts';

export type { Accumulator } from './streams/accumulator.ts';

export type SettleOptions = Pick<RepairOptions, 'policy' | 'next'> & {
  /** Where the history goes; what is left out is detected, or read strictly. */
  readonly target?: TargetInput;
};

const STREAMS = {
  'anthropic-messages': () => new AnthropicMessages(),
  'openai-chat': () => new OpenaiChat(),
  gemini: () => new Gemini(),
  'openai-responses': () => new OpenaiResponses(),
} as const;

/** Takes the events of one answer; a Responses stream gives a list of items, every other stream one message. */
export function createAccumulator<M = Wire[]>(dialect: 'openai-responses'): Accumulator<M>;
export function createAccumulator<M = Wire>(dialect: 'anthropic-messages' | 'openai-chat' | 'gemini'): Accumulator<M>;
export function createAccumulator<M>(dialect: keyof typeof STREAMS): Accumulator<M> {
  return STREAMS[dialect]() as Accumulator<unknown> as Accumulator<M>;
}

/**
 * Closes whatever is open in a history that was stopped: every call without a result gets one that says what is known,
 * and what is half is kept as text. The history may be a list or a whole request, and is not changed.
 */
export function settle<T>(history: T, evidence?: Evidence, options: SettleOptions = {}): Repaired<T> {
  const { target, policy, next } = options;
  return repair(history, target, {
    open: 'close',
    ...(evidence !== undefined && { evidence }),
    ...(policy !== undefined && { policy }),
    ...(next !== undefined && { next }),
  });
}
