import type { Conversion } from '../model/conversion.ts';
import { conversion as aiSdkModel } from './ai-sdk-model/request.ts';
import { aiSdkUi } from './ai-sdk-ui/crossing.ts';
import { conversion as anthropicMessages } from './anthropic-messages/request.ts';
import { conversion as bedrockConverse } from './bedrock-converse/request.ts';
import { conversion as gemini } from './gemini/request.ts';
import { langchain } from './langchain/crossing.ts';
import { conversion as mistralChat } from './mistral-chat/request.ts';
import { conversion as openaiAgents } from './openai-agents/request.ts';
import { conversion as openaiChat } from './openai-chat/request.ts';
import { conversion as openaiResponses } from './openai-responses/request.ts';
import { conversion as pydanticAi } from './pydantic-ai/request.ts';
import type { Dialect } from '../model/dialect.ts';

/** What a conversion knows of every dialect, by name. */
export const CONVERSIONS: Readonly<Record<Dialect, Conversion>> = {
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
