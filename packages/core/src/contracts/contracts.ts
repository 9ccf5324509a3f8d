import type { Contract } from '../model/rule.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { aiSdkUi } from './ai-sdk-ui.ts';
import { langchain } from './langchain.ts';
import { openaiAgents } from './openai-agents.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { gemini } from './gemini.ts';
import { mistralChat } from './mistral-chat.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { pydanticAi } from './pydantic-ai.ts';

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
