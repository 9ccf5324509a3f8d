import { AI_SDK_MODEL_CHECKS, judgeAiSdkModel } from './ai-sdk-model.ts';
import { AI_SDK_UI_CHECKS, judgeAiSdkUi } from './ai-sdk-ui.ts';
import { LANGCHAIN_CHECKS, judgeLangChain } from './langchain.ts';
import { judgeOpenaiAgents, OPENAI_AGENTS_CHECKS } from './openai-agents.ts';
import { ANTHROPIC_CHECKS, anthropicStage, judgeAnthropicMessages } from './anthropic-messages.ts';
import { BEDROCK_CHECKS, bedrockStage, judgeBedrockConverse } from './bedrock-converse.ts';
import { Docket, isObject, type JsonObject, type Purpose, type Refusal, type Said } from './docket.ts';
import { GEMINI_CHECKS, geminiStage, judgeGemini } from './gemini.ts';
import { judgeMistralChat, MISTRAL_CHECKS, mistralStage } from './mistral-chat.ts';
import { CHAT_CHECKS, chatStage, judgeOpenaiChat } from './openai-chat.ts';
import {
  judgeOpenaiResponses,
  readResponsesInput,
  type ResponseMemory,
  RESPONSES_CHECKS,
  RESPONSES_MEMORY_CHECKS,
  type ResponsesMatter,
} from './openai-responses.ts';
import { wrongType } from './openai-words.ts';
import { judgePydanticAi, PYDANTIC_CHECKS } from './pydantic-ai.ts';
import type { SealCheck } from './seal-check.ts';

export type { Purpose, Refusal } from './docket.ts';
export type { KeptEntry, ResponseMemory } from './openai-responses.ts';
export type { SealCheck, Sealed, SealVerdict } from './seal-check.ts';
export type JudgedDialect =
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

export interface JudgeOptions {
  /** A list is judged as a history and a body as a request unless this says otherwise. */
  readonly purpose?: Purpose | undefined;
  /** Picks the reading of rows that differ by model; a body's own model is used when this is absent. */
  readonly model?: string | undefined;
  /** Rows that are not enforced, to show that each of them matters. */
  readonly disabled?: ReadonlySet<string> | undefined;
  /** A model whose name says nothing is read strictly; with `false` it is read leniently. */
  readonly strict?: boolean | undefined;
  /** Whether the body is all that was sent, so that what lies beside the list is judged too. A server sets this. */
  readonly whole?: boolean | undefined;
  /** Tells genuine seals of reasoning from others; without it only their form is judged. */
  readonly seals?: SealCheck | undefined;
  /** What a server of the Responses API remembers of what it stored. */
  readonly memory?: ResponseMemory | undefined;
}

interface Bench {
  /** Every row this judge enforces. */
  readonly rows: readonly string[];
  /** The field of a body that holds the list. */
  readonly field: string;
  /** The list of a body, or the words for a body that has none. */
  readonly read: (body: JsonObject) => readonly unknown[] | Said;
  readonly judge: (matter: ResponsesMatter, docket: Docket) => void;
  /** When the provider would find this out; without it refusals stay in the order they were found. */
  readonly stage?: (refusal: Refusal) => number;
}

const BENCHES: Readonly<Record<JudgedDialect, Bench>> = {
  'openai-agents': { rows: OPENAI_AGENTS_CHECKS, field: 'input', read: readInput, judge: judgeOpenaiAgents },
  langchain: { rows: LANGCHAIN_CHECKS, field: 'messages', read: readMessages, judge: judgeLangChain },
  'ai-sdk-ui': { rows: AI_SDK_UI_CHECKS, field: 'messages', read: readMessages, judge: judgeAiSdkUi },
  'ai-sdk-model': { rows: AI_SDK_MODEL_CHECKS, field: 'messages', read: readMessages, judge: judgeAiSdkModel },
  'anthropic-messages': {
    rows: ANTHROPIC_CHECKS,
    field: 'messages',
    read: readAnthropic,
    judge: judgeAnthropicMessages,
    stage: anthropicStage,
  },
  'openai-chat': {
    rows: CHAT_CHECKS,
    field: 'messages',
    read: readChat,
    judge: judgeOpenaiChat,
    stage: chatStage,
  },
  'openai-responses': {
    rows: [...RESPONSES_CHECKS, ...RESPONSES_MEMORY_CHECKS],
    field: 'input',
    read: readResponsesInput,
    judge: judgeOpenaiResponses,
  },
  gemini: { rows: GEMINI_CHECKS, field: 'contents', read: readContents, judge: judgeGemini, stage: geminiStage },
  'bedrock-converse': {
    rows: BEDROCK_CHECKS,
    field: 'messages',
    read: readMessages,
    judge: judgeBedrockConverse,
    stage: bedrockStage,
  },
  'mistral-chat': {
    rows: MISTRAL_CHECKS,
    field: 'messages',
    read: readMessages,
    judge: judgeMistralChat,
    stage: mistralStage,
  },
  'pydantic-ai': { rows: PYDANTIC_CHECKS, field: 'messages', read: readMessages, judge: judgePydanticAi },
};

/** Every row each dialect's judge enforces. */
export const CHECKS: Readonly<Record<JudgedDialect, readonly string[]>> = {
  'anthropic-messages': BENCHES['anthropic-messages'].rows,
  'openai-chat': BENCHES['openai-chat'].rows,
  'openai-responses': BENCHES['openai-responses'].rows,
  gemini: BENCHES.gemini.rows,
  'bedrock-converse': BENCHES['bedrock-converse'].rows,
  'mistral-chat': BENCHES['mistral-chat'].rows,
  'pydantic-ai': BENCHES['pydantic-ai'].rows,
  'ai-sdk-model': BENCHES['ai-sdk-model'].rows,
  'ai-sdk-ui': BENCHES['ai-sdk-ui'].rows,
  langchain: BENCHES['langchain'].rows,
  'openai-agents': BENCHES['openai-agents'].rows,
};

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Says why a provider would refuse this history or request; an empty list means it is accepted. The first refusal is
 * the one the provider would answer with.
 */
export function judge(dialect: JudgedDialect, input: unknown, options: JudgeOptions = {}): Refusal[] {
  const bench = BENCHES[dialect];
  const bare = Array.isArray(input);
  const docket = new Docket(bare ? '' : `/${bench.field}`, options.disabled ?? NOTHING);
  try {
    const list = bare ? input : isObject(input) ? bench.read(input) : { text: 'expected a JSON object' };
    docket.lone = isObject(input) && isObject(input[bench.field]);
    if (isList(list)) bench.judge(matterOf(list, input, options), docket);
    else docket.refuse('shape', '', list);
  } catch {
    // A getter that throws or a value nested beyond the stack is not JSON, whatever else it may be.
    docket.refuse('shape', '', 'the input cannot be read as JSON');
  }
  const { refusals } = docket;
  const { stage } = bench;
  if (stage !== undefined && refusals.length > 1) refusals.sort((a, b) => stage(a) - stage(b));
  return refusals;
}

const isList = (read: readonly unknown[] | Said): read is readonly unknown[] => Array.isArray(read);

function matterOf(list: readonly unknown[], input: unknown, options: JudgeOptions): ResponsesMatter {
  const body = isObject(input) ? input : undefined;
  const named = options.model ?? body?.model ?? body?.modelId;
  return {
    list,
    body,
    purpose: options.purpose ?? (body === undefined ? 'history' : 'request'),
    model: typeof named === 'string' ? named : undefined,
    strict: options.strict ?? true,
    whole: options.whole ?? false,
    seals: options.seals,
    memory: options.memory,
  };
}

function readMessages(body: JsonObject): readonly unknown[] | Said {
  return Array.isArray(body.messages) ? body.messages : { text: 'expected a list of messages' };
}

/** A bare text is one message of the user. */
function readInput({ input }: JsonObject): readonly unknown[] | Said {
  if (typeof input === 'string') return input === '' ? [] : [{ role: 'user', content: input }];
  return Array.isArray(input) ? input : { text: 'expected a list of items' };
}

function readAnthropic({ messages }: JsonObject): readonly unknown[] | Said {
  if (Array.isArray(messages)) return messages;
  return { text: `messages: ${messages === undefined ? 'Field required' : 'Input should be a valid list'}` };
}

function readChat({ messages }: JsonObject): readonly unknown[] | Said {
  return Array.isArray(messages) ? messages : wrongType('messages', messages, 'an array of objects');
}

/** A lone content stands for a list of one, as protobuf's reader of JSON has it. */
function readContents({ contents }: JsonObject): readonly unknown[] | Said {
  if (isObject(contents)) return [contents];
  return Array.isArray(contents) ? contents : { text: '* GenerateContentRequest.contents: contents is not specified' };
}
