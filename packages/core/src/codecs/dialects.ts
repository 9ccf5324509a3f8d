import type { Codec } from '../model/codec.ts';
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

/** Name of a wire format. */
export type Dialect =
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'bedrock-converse'
  | 'mistral-chat'
  | 'pydantic-ai'
  | 'ai-sdk-model'
  | 'ai-sdk-ui'
  | 'langchain'
  | 'openai-agents';

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

/** The names of all wire formats. */
export const DIALECTS: readonly Dialect[] = Object.keys(CODECS) as Dialect[];

export function isDialect(name: unknown): name is Dialect {
  return typeof name === 'string' && Object.hasOwn(CODECS, name);
}
