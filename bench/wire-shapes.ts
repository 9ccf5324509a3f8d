import type { BenchDialect } from './dialects.ts';
import type { Call, Entry } from './entries.ts';

export type TextPart = { type: 'text'; text: string };
export type CallPart = { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };
export type ResultPart = { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean };
export type AnthropicPart = TextPart | CallPart | ResultPart;
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicPart[] };

export type OpenAiCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
export type OpenAiMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiCall[] }
  | { role: 'tool'; tool_call_id: string; name?: string; content: string };

type OutputText = { type: 'output_text'; text: string; annotations: unknown[] };
type Stored = { id?: string; status?: 'completed' };
export type ResponsesItem =
  | ({ type?: 'message'; role: 'user' | 'assistant'; content: string | OutputText[] | null } & Stored)
  | ({ type: 'function_call'; call_id: string; name: string; arguments: string } & Stored)
  | { type: 'function_call_output'; call_id: string; output: string };

export type GeminiPart = {
  text?: string;
  functionCall?: { id: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id: string; name: string; response: Record<string, unknown> };
  thoughtSignature?: string;
};
export type GeminiContent = { role: 'user' | 'model'; parts: GeminiPart[] };

export type ConversePart = {
  text?: string;
  toolUse?: { toolUseId: string; name: string; input: Record<string, unknown> };
  toolResult?: { toolUseId: string; content: { text: string }[]; status: 'success' | 'error' };
};
export type ConverseMessage = { role: 'user' | 'assistant'; content: ConversePart[] };

export type BenchMessage = AnthropicMessage | OpenAiMessage | ResponsesItem | GeminiContent | ConverseMessage;

type Render = (entry: Entry, index: number) => BenchMessage[];

/** How each dialect writes an entry. */
export const renderers: Record<BenchDialect, Render> = {
  'anthropic-messages': renderAnthropic,
  'openai-chat': renderOpenAi,
  'openai-responses': renderResponses,
  gemini: renderGemini,
  'bedrock-converse': renderConverse,
  'mistral-chat': renderMistral,
};

function renderAnthropic(entry: Entry): AnthropicMessage[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'empty':
      return [{ role: 'assistant', content: [] }];
    case 'assistant': {
      const calls = entry.calls.map((call): CallPart => ({ type: 'tool_use', ...call }));
      return [{ role: 'assistant', content: [{ type: 'text', text: entry.text }, ...calls] }];
    }
    default: {
      const parts = entry.results.map(({ id, content }): ResultPart => ({
        type: 'tool_result',
        tool_use_id: id,
        content,
      }));
      return [{ role: 'user', content: parts }];
    }
  }
}

function renderOpenAi(entry: Entry): OpenAiMessage[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'empty':
      return [{ role: 'assistant', content: null }];
    case 'assistant': {
      if (entry.calls.length === 0) return [{ role: 'assistant', content: entry.text }];
      return [{ role: 'assistant', content: entry.text, tool_calls: entry.calls.map(openAiCall) }];
    }
    default:
      return entry.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  }
}

function openAiCall({ id, name, input }: Call): OpenAiCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** As the provider's own guide writes them, results carry the name of their tool. */
function renderMistral(entry: Entry): OpenAiMessage[] {
  if (entry.kind === 'empty') return [{ role: 'assistant', content: '' }];
  if (entry.kind !== 'results') return renderOpenAi(entry);
  return entry.results.map(({ id, name, content }) => ({ role: 'tool', tool_call_id: id, name, content }));
}

/** What the model wrote goes back as it came, with the ids that the provider gave it. */
function renderResponses(entry: Entry, index: number): ResponsesItem[] {
  const stored = { id: `msg_${index.toString(16).padStart(48, '0')}`, status: 'completed' } as const;
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'empty':
      return [{ type: 'message', role: 'assistant', content: null, ...stored }];
    case 'assistant': {
      const calls = entry.calls.map(({ id, name, input }): ResponsesItem => ({
        type: 'function_call',
        id: id.replace('call_', 'fc_'),
        call_id: id,
        name,
        arguments: JSON.stringify(input),
        status: 'completed',
      }));
      const content: OutputText[] = [{ type: 'output_text', text: entry.text, annotations: [] }];
      return [{ type: 'message', role: 'assistant', content, ...stored }, ...calls];
    }
    default:
      return entry.results.map(({ id, content }) => ({ type: 'function_call_output', call_id: id, output: content }));
  }
}

const signatureCharacters = 400;

/** As models of the third generation answer: calls have ids, and the first of each step has a signature. */
function renderGemini(entry: Entry): GeminiContent[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', parts: [{ text: entry.text }] }];
    case 'empty':
      return [{ role: 'model', parts: [] }];
    case 'assistant': {
      const calls = entry.calls.map(({ id, name, input }, at): GeminiPart => ({
        functionCall: { id, name, args: input },
        ...(at === 0 ? { thoughtSignature: signatureFor(id) } : {}),
      }));
      return [{ role: 'model', parts: [{ text: entry.text }, ...calls] }];
    }
    default: {
      const parts = entry.results.map(({ id, name, content }): GeminiPart => ({
        functionResponse: { id, name, response: { result: content } },
      }));
      return [{ role: 'user', parts }];
    }
  }
}

/** The letters of an id are letters of base64 as well. */
function signatureFor(id: string): string {
  const letters = id.replace('call_', '');
  return letters.repeat(Math.ceil(signatureCharacters / letters.length)).slice(0, signatureCharacters);
}

function renderConverse(entry: Entry): ConverseMessage[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: [{ text: entry.text }] }];
    case 'empty':
      return [{ role: 'assistant', content: [] }];
    case 'assistant': {
      const calls = entry.calls.map(({ id, name, input }): ConversePart => ({
        toolUse: { toolUseId: id, name, input },
      }));
      return [{ role: 'assistant', content: [{ text: entry.text }, ...calls] }];
    }
    default: {
      const parts = entry.results.map(({ id, content }): ConversePart => ({
        toolResult: { toolUseId: id, content: [{ text: content }], status: 'success' },
      }));
      return [{ role: 'user', content: parts }];
    }
  }
}
