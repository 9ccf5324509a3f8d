import { ChatAnthropic } from '@langchain/anthropic';
import { coerceMessageLikeToMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { judge, type JudgedDialect } from '../../simulator/src/judges/judge.ts';

/** LangChain adds keys to the plain messages that it is given, which others read after it. */
const apart = (message: unknown): unknown =>
  Object.getPrototypeOf(message) === Object.prototype ? structuredClone(message) : message;

/** Every message as an object of the framework; throws where it takes one of them for none. */
export const coerced = (messages: readonly unknown[]): BaseMessage[] =>
  messages.map((message) => coerceMessageLikeToMessage(apart(message) as BaseMessageLike));

type Fetch = typeof globalThis.fetch;

/** A `fetch` that keeps what it is given and sends nothing. */
const keeping =
  (bodies: unknown[]): Fetch =>
  (_url, init) => {
    bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : 'null'));
    return Promise.reject(new Error('sent'));
  };

const parameters = { type: 'object', properties: {} };
const chatTool = { type: 'function', function: { name: 'read_file', parameters } } as const;
const baseURL = 'http://localhost';

function openai(fetch: Fetch, useResponsesApi: boolean): (messages: BaseMessage[]) => Promise<unknown> {
  const configuration = { fetch, baseURL };
  const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration, maxRetries: 0, useResponsesApi });
  return (messages) => model.bindTools([chatTool]).invoke(messages);
}

function anthropic(fetch: Fetch): (messages: BaseMessage[]) => Promise<unknown> {
  const clientOptions = { fetch, baseURL };
  const model = new ChatAnthropic({ model: 'claude-opus-4-6', apiKey: 'none', clientOptions, maxRetries: 0 });
  return (messages) =>
    model.bindTools([{ name: 'read_file', input_schema: { type: 'object', properties: {} } }]).invoke(messages);
}

export interface Converter {
  readonly name: string;
  /** The name a profile is chosen by. */
  readonly model: string;
  readonly judged: JudgedDialect;
  readonly open: (fetch: Fetch) => (messages: BaseMessage[]) => Promise<unknown>;
}

/** The converters of the framework that are installed, each with the judge of what it sends. */
export const converters: readonly Converter[] = [
  { name: 'Anthropic', model: 'claude-opus-4-6', judged: 'anthropic-messages', open: anthropic },
  {
    name: 'OpenAI Chat Completions',
    model: 'gpt-4.1',
    judged: 'openai-chat',
    open: (fetch) => openai(fetch, false),
  },
  { name: 'OpenAI Responses', model: 'gpt-4.1', judged: 'openai-responses', open: (fetch) => openai(fetch, true) },
];

/** Why the provider would refuse the request that a converter makes of a history; an error where it makes none. */
export async function refusalsBy({ judged, open }: Converter, messages: readonly unknown[]): Promise<string[]> {
  const bodies: unknown[] = [];
  let thrown: unknown;
  try {
    await open(keeping(bodies))(coerced(messages));
  } catch (error) {
    thrown = error;
  }
  if (bodies.length === 0) return [String(thrown)];
  return bodies.flatMap((body) => judge(judged, body, { whole: true })).map(({ row, text }) => `${row}: ${text}`);
}
