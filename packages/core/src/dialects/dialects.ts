import type { Codec } from '../model/codec.ts';
import type { Dialect } from '../model/dialect.ts';
import { aiSdkModel } from './ai-sdk-model/codec.ts';
import { aiSdkUi } from './ai-sdk-ui/codec.ts';
import { langchain } from './langchain/codec.ts';
import { openaiAgents } from './openai-agents/codec.ts';
import { anthropicMessages } from './anthropic-messages/codec.ts';
import { bedrockConverse } from './bedrock-converse/codec.ts';
import { gemini } from './gemini/codec.ts';
import { mistralChat } from './mistral-chat/codec.ts';
import { openaiChat } from './openai-chat/codec.ts';
import { openaiResponses } from './openai-responses/codec.ts';
import { pydanticAi } from './pydantic-ai/codec.ts';

/** Every wire format this package reads, by name. */
export const CODECS: Readonly<Record<Dialect, Codec>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  'bedrock-converse': bedrockConverse,
  'mistral-chat': mistralChat,
  'pydantic-ai': pydanticAi,
  'ai-sdk-model': aiSdkModel,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  'openai-agents': openaiAgents,
};
