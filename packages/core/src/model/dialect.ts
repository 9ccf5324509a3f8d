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
