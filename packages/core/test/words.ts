import * as aiSdkModelWords from '../src/rules/examples/ai-sdk-model.ts';
import * as aiSdkUiWords from '../src/rules/examples/ai-sdk-ui.ts';
import * as anthropicWords from '../src/rules/examples/anthropic-messages.ts';
import * as bedrockWords from '../src/rules/examples/bedrock-converse.ts';
import * as geminiWords from '../src/rules/examples/gemini.ts';
import * as langchainWords from '../src/rules/examples/langchain.ts';
import * as mistralWords from '../src/rules/examples/mistral-chat.ts';
import * as agentsWords from '../src/rules/examples/openai-agents.ts';
import * as chatWords from '../src/rules/examples/openai-chat.ts';
import * as responsesWords from '../src/rules/examples/openai-responses.ts';
import * as pydanticWords from '../src/rules/examples/pydantic-ai.ts';

/** The builders of messages that the examples of the rules use, by dialect. */
export const aiSdkModel = aiSdkModelWords;
export const aiSdkUi = aiSdkUiWords;
export const anthropic = anthropicWords;
export const bedrock = bedrockWords;
export const gemini = geminiWords;
export const langchain = langchainWords;
export const mistral = mistralWords;
export const agents = agentsWords;
export const chat = chatWords;
export const responses = responsesWords;
export const pydantic = pydanticWords;
