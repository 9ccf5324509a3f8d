import type { Dialect } from '../src/index.ts';
import {
  agents,
  aiSdkModel,
  anthropic,
  bedrock,
  chat,
  gemini,
  langchain,
  mistral,
  pydantic,
  responses,
} from './words.ts';

type Call = { readonly id: unknown; readonly tool?: string; readonly input?: unknown };
type Result = { readonly id: unknown; readonly text: string; readonly tool?: string };

/** How a dialect writes a conversation, so that one table of cases holds for all of them. */
export type Writer = {
  readonly user: (text: string) => object;
  readonly say: (text: string) => object;
  /** The calls of one answer, in as many messages as the dialect needs, and the same with words before them. */
  readonly calls: (...calls: readonly Call[]) => object[];
  readonly answer: (text: string, ...calls: readonly Call[]) => object[];
  readonly results: (...results: readonly Result[]) => object[];
};

type Said = string | object;
type Words = {
  readonly user: (...said: Said[]) => object;
  readonly say: (...said: Said[]) => object;
  readonly call: (id: never, tool?: string, input?: never) => object;
  readonly result: (id: never, text: string) => object;
};
type Shape = 'parts' | 'messages' | 'items';

const named = (tool: string | undefined, key = 'name'): object => (tool === undefined ? {} : { [key]: tool });

/** Results are parts of a message of the user, or messages. Calls may be items of their own as well. */
function written({ user, say, call, result }: Words, shape: Shape, keyOfTool?: string): Writer {
  const called = ({ id, tool, input }: Call): object => call(id as never, tool, input as never);
  const answered = ({ id, text, tool }: Result): object => ({
    ...result(id as never, text),
    ...(keyOfTool === undefined ? {} : named(tool, keyOfTool)),
  });
  return {
    user,
    say,
    calls: (...calls) => (shape === 'items' ? calls.map(called) : [say(...calls.map(called))]),
    answer: (text, ...calls) =>
      shape === 'items' ? [say(text), ...calls.map(called)] : [say(text, ...calls.map(called))],
    results: (...results) => (shape === 'parts' ? [user(...results.map(answered))] : results.map(answered)),
  };
}

const geminiCall = ({ id, tool = 'read', input }: Call): object =>
  gemini.signed(gemini.call(tool, input, id as string));

/** Every dialect in which calls and results can come apart. */
export const WRITERS: Readonly<Record<Exclude<Dialect, 'ai-sdk-ui'>, Writer>> = {
  'anthropic-messages': written(anthropic, 'parts'),
  'bedrock-converse': written(bedrock, 'parts'),
  'pydantic-ai': written(pydantic, 'parts', 'tool_name'),
  'openai-chat': written(chat, 'messages', 'name'),
  'mistral-chat': written(mistral, 'messages', 'name'),
  langchain: written(langchain, 'messages', 'name'),
  'openai-responses': written(responses, 'items'),
  'openai-agents': written(agents, 'items', 'name'),
  'ai-sdk-model': {
    ...written(aiSdkModel, 'messages'),
    user: aiSdkModel.userText,
    results: (...results) => [
      aiSdkModel.results(...results.map(({ id, text, tool }) => aiSdkModel.returned(id as string, text, tool))),
    ],
  },
  gemini: {
    user: gemini.user,
    say: gemini.say,
    calls: (...calls) => [gemini.say(...calls.map(geminiCall))],
    answer: (text, ...calls) => [gemini.say(text, ...calls.map(geminiCall))],
    results: (...results) => [
      gemini.user(...results.map(({ id, text, tool = 'read' }) => gemini.result(tool, text, id as string))),
    ],
  },
};

export const WRITTEN = Object.entries(WRITERS) as [keyof typeof WRITERS, Writer][];
