import type { ApiName, Refusal, Simulator } from '../../src/index.ts';
import { post } from './client.ts';

type Json = Record<string, unknown>;

const SCHEMAS: Readonly<Record<string, Json>> = {
  read: {
    type: 'object',
    properties: { path: { type: 'string' }, encoding: { type: 'string', enum: ['utf8', 'latin1'] } },
    required: ['path'],
  },
  search: {
    type: 'object',
    properties: {
      words: { type: 'array', items: { type: 'string' }, minItems: 1 },
      limit: { type: 'integer', minimum: 5, maximum: 9 },
    },
    required: ['words', 'limit'],
  },
};

export function toolsFor(api: ApiName): unknown[] {
  const tools = Object.entries(SCHEMAS).map(([name, schema]) => ({ name, schema }));
  switch (api) {
    case 'anthropic-messages':
      return tools.map(({ name, schema }) => ({ name, input_schema: schema }));
    case 'openai-chat':
      return tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } }));
    case 'openai-responses':
      return tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema }));
    case 'gemini':
      return [{ functionDeclarations: tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) }];
  }
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** What came of a conversation: each step of the model, and what the judge had against it. */
export interface Conversation {
  readonly steps: readonly { readonly calls: readonly Call[]; readonly text: string }[];
  readonly refusals: readonly Refusal[];
}

/** How one API writes what a client keeps. */
interface Writing {
  user(text: string): Json;
  request(list: readonly Json[]): Json;
  read(answer: Json): { kept: Json[]; calls: Call[]; text: string };
  results(calls: readonly Call[]): Json[];
}

const objects = (value: unknown): Json[] => (value ?? []) as Json[];
const parsed = (text: unknown): Json => JSON.parse(String(text)) as Json;
const joined = (parts: readonly Json[]): string => parts.map(({ text }) => (text as string | undefined) ?? '').join('');

const WRITINGS: Readonly<Record<ApiName, Writing>> = {
  'anthropic-messages': {
    user: (text) => ({ role: 'user', content: text }),
    request: (messages) => ({
      model: 'claude-fable-5-1',
      max_tokens: 1000,
      thinking: { type: 'adaptive' },
      tools: toolsFor('anthropic-messages'),
      messages,
    }),
    read: ({ content }) => {
      const uses = objects(content).filter(({ type }) => type === 'tool_use');
      const calls = uses.map(({ id, name, input }) => ({ id, name, input }) as Call);
      return { kept: [{ role: 'assistant', content }], calls, text: joined(objects(content)) };
    },
    results: (calls) => [
      { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })) },
    ],
  },
  'openai-chat': {
    user: (text) => ({ role: 'user', content: text }),
    request: (messages) => ({ model: 'gpt-4.1', tools: toolsFor('openai-chat'), messages }),
    read: ({ choices }) => {
      const message = objects(choices)[0]?.message as Json;
      const calls = objects(message.tool_calls).map((made) => {
        const { name, arguments: input } = made.function as Json;
        return { id: String(made.id), name: String(name), input: parsed(input) };
      });
      return { kept: [message], calls, text: (message.content as string | null) ?? '' };
    },
    results: (calls) => calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
  },
  'openai-responses': {
    user: (text) => ({ role: 'user', content: text }),
    request: (input) => ({
      model: 'gpt-5',
      tools: toolsFor('openai-responses'),
      store: false,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
      input,
    }),
    read: ({ output }) => {
      const made = objects(output).filter(({ type }) => type === 'function_call');
      const calls = made.map((item) => ({
        id: String(item.call_id),
        name: String(item.name),
        input: parsed(item.arguments),
      }));
      return { kept: objects(output), calls, text: joined(objects(output).flatMap(({ content }) => objects(content))) };
    },
    results: (calls) => calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'ok' })),
  },
  gemini: {
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    request: (contents) => ({
      tools: toolsFor('gemini'),
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      contents,
    }),
    read: ({ candidates }) => {
      const content = objects(candidates)[0]?.content as Json;
      const made = objects(content.parts).flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [functionCall as Json],
      );
      const calls = made.map(({ id, name, args }) => ({ id, name, input: args }) as Call);
      return { kept: [content], calls, text: joined(objects(content.parts)) };
    },
    results: (calls) => [
      {
        role: 'user',
        parts: calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { ok: true } } })),
      },
    ],
  },
};

const PATH = '/v1beta/models/gemini-3-pro:generateContent';

/** Talks as an agent does: asks, runs each call, sends everything back, and asks again. */
export async function talk(simulator: Simulator, api: ApiName, options: { turns: number }): Promise<Conversation> {
  const writing = WRITINGS[api];
  const list: Json[] = [];
  const steps: { calls: Call[]; text: string }[] = [];
  for (let turn = 1; turn <= options.turns; turn++) {
    list.push(writing.user(`question ${turn}`));
    for (;;) {
      const body = writing.request(list);
      const response = await post(simulator, api, { body, ...(api === 'gemini' && { path: PATH }) });
      const answer = (await response.json()) as Json;
      if (response.status !== 200) return { steps, refusals: simulator.verdicts.at(-1)?.refusals ?? [] };
      const { kept, calls, text } = writing.read(answer);
      steps.push({ calls, text });
      list.push(...kept);
      if (calls.length === 0) break;
      list.push(...writing.results(calls));
    }
  }
  return { steps, refusals: [] };
}
