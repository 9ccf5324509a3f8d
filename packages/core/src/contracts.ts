import type { Contract } from './model/rule.ts';
import { aiSdkModel } from './dialects/ai-sdk-model/profile.ts';
import { aiSdkUi } from './dialects/ai-sdk-ui/profile.ts';
import { langchain } from './dialects/langchain/profile.ts';
import { openaiAgents } from './dialects/openai-agents/profile.ts';
import { anthropicMessages } from './dialects/anthropic-messages/profile.ts';
import { bedrockConverse } from './dialects/bedrock-converse/profile.ts';
import { gemini } from './dialects/gemini/profile.ts';
import { mistralChat } from './dialects/mistral-chat/profile.ts';
import { openaiChat } from './dialects/openai-chat/profile.ts';
import { openaiResponses } from './dialects/openai-responses/profile.ts';
import { pydanticAi } from './dialects/pydantic-ai/profile.ts';

/** What is enforced, by dialect. */
export const CONTRACTS: Readonly<
  Record<
    | 'openai-agents'
    | 'langchain'
    | 'ai-sdk-ui'
    | 'ai-sdk-model'
    | 'anthropic-messages'
    | 'bedrock-converse'
    | 'mistral-chat'
    | 'gemini'
    | 'openai-chat'
    | 'openai-responses'
    | 'pydantic-ai',
    Contract
  >
> = {
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
