/** The name of a wire format. */
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

/** The names of all wire formats. */
export const DIALECTS: readonly Dialect[] = [
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'mistral-chat',
  'pydantic-ai',
  'ai-sdk-model',
  'ai-sdk-ui',
  'langchain',
  'openai-agents',
];

export function isDialect(name: unknown): name is Dialect {
  return DIALECTS.some((dialect) => dialect === name);
}
