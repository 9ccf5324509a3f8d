import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool, type ModelMessage, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { judge, type JudgedDialect, type Refusal } from '../../simulator/src/judges/judge.ts';

/** Every tool that a generated history names, so that a request declares what it uses. */
const tools: ToolSet = Object.fromEntries(
  ['read_file', 'read', 'rm', 'count', 'ls', 'build'].map((name) => [
    name,
    tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'done' }),
  ]),
);

/** What a request is answered with: enough for the SDK to have sent it, and to come back with an error of its own. */
class Sent extends Error {
  readonly body: unknown;
  constructor(body: unknown) {
    super('sent');
    this.body = body;
  }
}

type Send = (url: unknown, init?: { body?: unknown }) => Promise<Response>;

/** A `fetch` that keeps what it is given and sends nothing. */
function keeping(bodies: unknown[]): Send {
  return (_url, init) => {
    const body: unknown = JSON.parse(String(init?.body));
    bodies.push(body);
    return Promise.reject(new Sent(body));
  };
}

export interface Provider {
  readonly name: string;
  /** The name a profile is chosen by. */
  readonly model: string;
  readonly judged: JudgedDialect;
  readonly send: (messages: ModelMessage[], bodies: unknown[]) => Promise<unknown>;
}

type Model = Parameters<typeof generateText>[0]['model'];

const generate = (model: Model, messages: ModelMessage[], more: ToolSet = {}): Promise<unknown> =>
  generateText({ model, messages, tools: { ...tools, ...more }, maxRetries: 0 });

/** The providers whose converters are installed, each with the judge of what it sends. */
export const providers: readonly Provider[] = [
  {
    name: 'Anthropic',
    model: 'claude-opus-4-6',
    judged: 'anthropic-messages',
    send: (messages, bodies) => {
      const fetch = keeping(bodies) as typeof globalThis.fetch;
      const anthropic = createAnthropic({ apiKey: 'none', baseURL: 'http://localhost', fetch });
      // The only provider here that has a search of its own in these histories.
      return generate(anthropic('claude-opus-4-6'), messages, { web_search: anthropic.tools.webSearch_20250305({}) });
    },
  },
  {
    name: 'OpenAI Chat Completions',
    model: 'gpt-4.1',
    judged: 'openai-chat',
    send: (messages, bodies) => {
      const fetch = keeping(bodies) as typeof globalThis.fetch;
      return generate(createOpenAI({ apiKey: 'none', baseURL: 'http://localhost', fetch }).chat('gpt-4.1'), messages);
    },
  },
  {
    name: 'OpenAI Responses',
    model: 'gpt-4.1',
    judged: 'openai-responses',
    send: (messages, bodies) => {
      const fetch = keeping(bodies) as typeof globalThis.fetch;
      return generate(
        createOpenAI({ apiKey: 'none', baseURL: 'http://localhost', fetch }).responses('gpt-4.1'),
        messages,
      );
    },
  },
];

/** What the SDK itself says to a history: the error it throws before any provider is asked, or nothing. */
export async function refusalOfSdk(messages: unknown): Promise<string | undefined> {
  const model = new MockLanguageModelV4({
    supportedUrls: { '*/*': [/./] },
    doGenerate: () => Promise.reject(new Sent(undefined)),
  });
  return generate(model, messages as ModelMessage[]).then(
    () => undefined,
    (error: unknown) => (isSent(error) ? undefined : String(error)),
  );
}

/** Why the provider would refuse the request that its converter makes of a history; an error where it makes none. */
export async function refusalsOfProvider(
  provider: Provider,
  messages: unknown,
): Promise<readonly (Refusal | string)[]> {
  const bodies: unknown[] = [];
  const error: unknown = await provider.send(messages as ModelMessage[], bodies).catch((thrown: unknown) => thrown);
  if (bodies.length === 0) return [String(error)];
  return bodies.flatMap((body) => judge(provider.judged, body, { whole: true }));
}

function isSent(error: unknown): boolean {
  return error instanceof Sent || (error instanceof Error && isSent(error.cause));
}
