import OpenAI, { APIError } from 'openai';

import type { ModelPort, ModelRequest, PortTarget, ToolDeclaration } from '../model-port.ts';
import { ChatAnswer } from './chat-answer.ts';
import type { Refusal } from './classify.ts';
import type { Answer, Way } from './converse.ts';
import { portOf, type PortOptions } from './port.ts';
import { refuseOldSdk } from './refuse-old-sdk.ts';
import { ResponsesAnswer } from './responses-answer.ts';

export type { ModelPort } from '../model-port.ts';

type ClientOptions = PortOptions & {
  readonly model: string;
  /**
   * A client for its key, address and headers (default: the environment). The port uses its own connections, and the
   * loop its own retries.
   */
  readonly client?: OpenAI;
  readonly apiKey?: string;
  readonly baseURL?: string;
};

export type OpenaiChatOptions = ClientOptions & {
  /** Other request options: temperature, reasoning effort, … */
  readonly params?: Partial<OpenAI.ChatCompletionCreateParams>;
};

export type OpenaiResponsesOptions = ClientOptions & {
  /** Other request options: reasoning, text, … */
  readonly params?: Partial<OpenAI.Responses.ResponseCreateParams>;
};

/** Longer than all our deadlines, because the SDK's timer covers only one step and another clock. */
const NEVER_MS = 2_147_483_647;

/** Reasoning models return encrypted reasoning on request; other models refuse the request. */
const REASONS = /^(?:o\d|gpt-5|codex|computer-use)/;

/** A port for the Chat Completions API of OpenAI or a compatible host. */
export function openaiChat(options: OpenaiChatOptions): ModelPort {
  return portTo(options, 'openai-chat', {
    answer: () => new ChatAnswer(),
    send: (client, request, { stream, signal }) => {
      const body = { ...chatBodyOf(request, options, stream), stream } as OpenAI.ChatCompletionCreateParams;
      return client.chat.completions.create(body, { signal });
    },
  });
}

/** A port for the Responses API. Nothing is stored there, so the session can move anywhere. */
export function openaiResponses(options: OpenaiResponsesOptions): ModelPort {
  return portTo(options, 'openai-responses', {
    answer: () => new ResponsesAnswer(),
    send: (client, request, { stream, signal }) => {
      const body = { ...responsesBodyOf(request, options), stream } as OpenAI.Responses.ResponseCreateParams;
      return client.responses.create(body, { signal });
    },
  });
}

type Api = {
  answer(): Answer;
  send(
    client: OpenAI,
    request: ModelRequest,
    way: { readonly stream: boolean; readonly signal: AbortSignal },
  ): PromiseLike<unknown>;
};

function portTo(options: ClientOptions, dialect: PortTarget['dialect'], api: Api): ModelPort {
  const { model } = options;
  refuseOldSdk(options.client ?? OpenAI.prototype, 'openai 5');
  let client: OpenAI | undefined;
  const named = { name: `openai/${model}`, target: { dialect, model } };
  const port = portOf(named, options, (request, { stream }) => ({
    answer: api.answer(),
    refusal,
    send: ({ fetch, signal }: Way) => {
      client ??= options.client ?? clientOf(options);
      const quiet = client.withOptions({ maxRetries: 0, timeout: NEVER_MS, logLevel: 'off', fetch });
      return api.send(quiet, request, { stream, signal });
    },
  }));
  return {
    ...port,
    renew: () => {
      client = undefined;
      return port.renew();
    },
  };
}

function clientOf({ apiKey, baseURL }: ClientOptions): OpenAI {
  return new OpenAI({ ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) });
}

function chatBodyOf(request: ModelRequest, { model, params }: OpenaiChatOptions, stream: boolean): object {
  const { system, maxTokens } = request;
  const tools = request.tools.map((tool) => ({ type: 'function', function: declared(tool) }));
  const instructions = typeof system === 'string' ? [{ role: 'system', content: system }] : [system].flat();
  return {
    model,
    ...(stream && { stream_options: { include_usage: true } }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(tools.length > 0 && { tools }),
    ...params,
    messages: system === undefined ? request.messages : [...instructions, ...request.messages],
  };
}

function responsesBodyOf(request: ModelRequest, { model, params }: OpenaiResponsesOptions): object {
  const { system, maxTokens } = request;
  const tools = request.tools.map((tool) => ({ type: 'function', ...declared(tool), strict: false }));
  const inList = system === undefined || typeof system === 'string' ? [] : [system].flat();
  return {
    model,
    store: false,
    ...(REASONS.test(model) && { include: ['reasoning.encrypted_content'] }),
    ...(typeof system === 'string' && { instructions: system }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(tools.length > 0 && { tools }),
    ...params,
    input: [...inList, ...request.messages],
  };
}

/** The declared fields of a tool, without any others. */
function declared({ name, description, parameters }: ToolDeclaration): object {
  return { name, ...(description !== undefined && { description }), parameters };
}

/** An error inside a stream has a type or code instead of a status. */
function refusal(error: unknown): Refusal | undefined {
  if (!(error instanceof APIError) || error.error === undefined) return undefined;
  const { status, headers } = error as { readonly status?: number; readonly headers?: Headers };
  const text = typeof error.error === 'string' ? error.error : JSON.stringify(error.error);
  return { text, ...(status !== undefined && { status }), ...(headers !== undefined && { headers }) };
}
