import type { Contract } from '../model/rule.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { openaiChat } from './openai-chat.ts';
import { pydanticAi } from './pydantic-ai.ts';

/** What is enforced, by dialect. */
export const CONTRACTS: Readonly<Record<'anthropic-messages' | 'openai-chat' | 'pydantic-ai', Contract>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'pydantic-ai': pydanticAi,
};
