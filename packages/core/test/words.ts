/** The builders of messages that the examples of the rules use, by dialect. */
export * as aiSdkModel from '../src/rules/examples/ai-sdk-model.ts';
export * as aiSdkUi from '../src/rules/examples/ai-sdk-ui.ts';
export * as anthropic from '../src/rules/examples/anthropic-messages.ts';
export * as bedrock from '../src/rules/examples/bedrock-converse.ts';
export * as gemini from '../src/rules/examples/gemini.ts';
export * as langchain from '../src/rules/examples/langchain.ts';
export * as mistral from '../src/rules/examples/mistral-chat.ts';
export * as agents from '../src/rules/examples/openai-agents.ts';
export * as chat from '../src/rules/examples/openai-chat.ts';
export * as responses from '../src/rules/examples/openai-responses.ts';
export * as pydantic from '../src/rules/examples/pydantic-ai.ts';
