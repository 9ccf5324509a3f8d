import type { Dialect } from '../model/dialect.ts';
import type { Profile } from '../model/profile.ts';
import { profile as aiSdkModel } from './ai-sdk-model/profile.ts';
import { profile as aiSdkUi } from './ai-sdk-ui/profile.ts';
import { profile as anthropicMessages } from './anthropic-messages/profile.ts';
import { profile as bedrockConverse } from './bedrock-converse/profile.ts';
import { profile as gemini } from './gemini/profile.ts';
import { profile as langchain } from './langchain/profile.ts';
import { profile as mistralChat } from './mistral-chat/profile.ts';
import { profile as openaiAgents } from './openai-agents/profile.ts';
import { profile as openaiChat } from './openai-chat/profile.ts';
import { profile as openaiResponses } from './openai-responses/profile.ts';
import { profile as pydanticAi } from './pydantic-ai/profile.ts';

/** The profile of a model, by dialect; without a name the strict reading of everything. */
export const PROFILES: Readonly<Record<Dialect, (model: string | undefined) => Profile>> = {
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
