import type { Codec } from '../model/codec.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { openaiChat } from './openai-chat.ts';
import { pydanticAi } from './pydantic-ai.ts';

/** Name of a wire format. */
export type Dialect = 'anthropic-messages' | 'openai-chat' | 'pydantic-ai';

/** Every wire format this package reads, by name. */
export const CODECS: Readonly<Record<Dialect, Codec>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'pydantic-ai': pydanticAi,
};

export function isDialect(name: unknown): name is Dialect {
  return typeof name === 'string' && Object.hasOwn(CODECS, name);
}
