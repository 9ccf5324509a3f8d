import type { Crossing } from '../model/crossing.ts';
import { aiSdkModel } from './crossing/ai-sdk-model.ts';
import { aiSdkUi } from './crossing/ai-sdk-ui.ts';
import { anthropicMessages } from './crossing/anthropic-messages.ts';
import { bedrockConverse } from './crossing/bedrock-converse.ts';
import { gemini } from './crossing/gemini.ts';
import { langchain } from './crossing/langchain.ts';
import { mistralChat } from './crossing/mistral-chat.ts';
import { openaiAgents } from './crossing/openai-agents.ts';
import { openaiChat } from './crossing/openai-chat.ts';
import { openaiResponses } from './crossing/openai-responses.ts';
import { pydanticAi } from './crossing/pydantic-ai.ts';
import type { Dialect } from './dialects.ts';

/** What crosses from and to every dialect, by name. */
export const CROSSINGS: Readonly<Record<Dialect, Crossing>> = {
  'ai-sdk-model': aiSdkModel,
  'ai-sdk-ui': aiSdkUi,
  'anthropic-messages': anthropicMessages,
  'bedrock-converse': bedrockConverse,
  gemini,
  langchain,
  'mistral-chat': mistralChat,
  'openai-agents': openaiAgents,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'pydantic-ai': pydanticAi,
};
