import { createText, type TextSource } from './text.ts';

export const benchApis = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const;
export type BenchApi = (typeof benchApis)[number];

/** A request as its client would send it. */
export type BenchRequest = { path: string; headers: Record<string, string>; body: Json };
export type Json = { [key: string]: unknown };

type Call = { id: string; name: string; input: Json };
type Entry =
  | { kind: 'user'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'calls'; text: string; calls: Call[] }
  | { kind: 'results'; results: { call: Call; text: string }[] };

/** One user, one assistant or one tool result each counts as a message. */
export const requestMessages = 50;
const turns = 7;
const toolNames = ['read_file', 'search', 'run_command'] as const;

/** Turns of seven messages (two calls at once, then a single one), and a last one of the user. */
function createEntries(seed: number): Entry[] {
  const source = createText(seed);
  const entries: Entry[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    entries.push({ kind: 'user', text: source.text(source.logUniform(20, 600)) });
    for (const count of [2, 1]) entries.push(...createStep(source, count));
    entries.push({ kind: 'answer', text: source.text(source.logUniform(50, 1_500)) });
  }
  return [...entries, { kind: 'user', text: source.text(80) }];
}

function createStep(source: TextSource, count: number): Entry[] {
  const calls = Array.from({ length: count }, (): Call => {
    const input = { path: `src/${source.between(1, 999)}.ts`, query: source.text(24), limit: source.between(1, 200) };
    return { id: `call_${source.between(1e9, 9e9)}`, name: source.pick(toolNames), input };
  });
  const results = calls.map((call) => ({ call, text: source.text(source.logUniform(100, 2_000)) }));
  return [
    { kind: 'calls', text: source.text(source.logUniform(20, 400)), calls },
    { kind: 'results', results },
  ];
}

type Writing = {
  path: string;
  headers: Record<string, string>;
  write: (entry: Entry) => Json[];
  body: (list: Json[]) => Json;
};

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, query: { type: 'string' }, limit: { type: 'integer' } },
};
const declared = toolNames.map((name) => ({ name, description: `Runs ${name}.` }));

const writings: Record<BenchApi, Writing> = {
  'anthropic-messages': {
    path: '/v1/messages',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    write: writeAnthropic,
    body: (messages) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 4_096,
      system: 'You are an agent.',
      tools: declared.map((tool) => ({ ...tool, input_schema: schema })),
      messages,
    }),
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer key' },
    write: writeChat,
    body: (messages) => ({
      model: 'gpt-4.1',
      tools: declared.map((tool) => ({ type: 'function', function: { ...tool, parameters: schema } })),
      messages,
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    headers: { authorization: 'Bearer key' },
    write: writeResponses,
    body: (input) => ({
      model: 'gpt-4.1',
      store: false,
      tools: declared.map((tool) => ({ type: 'function', ...tool, parameters: schema })),
      input,
    }),
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    headers: { 'x-goog-api-key': 'key' },
    write: writeGemini,
    body: (contents) => ({
      tools: [{ functionDeclarations: declared.map((tool) => ({ ...tool, parametersJsonSchema: schema })) }],
      contents,
    }),
  },
};

function writeAnthropic(entry: Entry): Json[] {
  if (entry.kind === 'user') return [{ role: 'user', content: entry.text }];
  if (entry.kind === 'results') {
    const parts = entry.results.map(({ call, text }) => ({ type: 'tool_result', tool_use_id: call.id, content: text }));
    return [{ role: 'user', content: parts }];
  }
  const calls = entry.kind === 'calls' ? entry.calls.map((call) => ({ type: 'tool_use', ...call })) : [];
  return [{ role: 'assistant', content: [{ type: 'text', text: entry.text }, ...calls] }];
}

function writeChat(entry: Entry): Json[] {
  if (entry.kind === 'user') return [{ role: 'user', content: entry.text }];
  if (entry.kind === 'answer') return [{ role: 'assistant', content: entry.text }];
  if (entry.kind === 'results') {
    return entry.results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }));
  }
  const calls = entry.calls.map(({ id, name, input }) => {
    return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  });
  return [{ role: 'assistant', content: entry.text, tool_calls: calls }];
}

function writeResponses(entry: Entry): Json[] {
  if (entry.kind === 'user') return [{ role: 'user', content: entry.text }];
  if (entry.kind === 'results') {
    return entry.results.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text }));
  }
  const calls = entry.kind === 'calls' ? entry.calls : [];
  return [
    { role: 'assistant', content: [{ type: 'output_text', text: entry.text }] },
    ...calls.map(({ id, name, input }) => {
      return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) };
    }),
  ];
}

function writeGemini(entry: Entry): Json[] {
  if (entry.kind === 'user') return [{ role: 'user', parts: [{ text: entry.text }] }];
  if (entry.kind === 'results') {
    const parts = entry.results.map(({ call, text }) => {
      return { functionResponse: { name: call.name, response: { output: text } } };
    });
    return [{ role: 'user', parts }];
  }
  const calls = entry.kind === 'calls' ? entry.calls.map(({ name, input: args }) => ({ name, args })) : [];
  return [{ role: 'model', parts: [{ text: entry.text }, ...calls.map((functionCall) => ({ functionCall }))] }];
}

/** A request with a light history that the API accepts, or one in which the last call is unanswered. */
export function createRequest(api: BenchApi, seed: number, flaw?: 'unanswered'): BenchRequest {
  const { path, headers, write, body } = writings[api];
  const entries = createEntries(seed);
  const kept = flaw === undefined ? entries : entries.filter((_, index) => index !== entries.length - 3);
  return { path, headers, body: body(kept.flatMap(write)) };
}

/** The same entries counted, so that a test can hold them to their number. */
export function countMessages(seed: number): number {
  return createEntries(seed).reduce((sum, entry) => sum + (entry.kind === 'results' ? entry.results.length : 1), 0);
}
