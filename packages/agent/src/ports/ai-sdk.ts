import { APICallError, generateText, jsonSchema, streamText, tool, type LanguageModel, type ModelMessage } from 'ai';

import type { ModelErrorKind, ModelPort, ModelRequest } from '../model-port.ts';
import { AiSdkAnswer, type Finish } from './ai-sdk-answer.ts';
import type { Refusal } from './classify.ts';
import { portOf, type PortOptions } from './port.ts';
import type { Fetch } from './watched-fetch.ts';
import { wireOf } from './wire.ts';

export type { ModelPort } from '../model-port.ts';

type Settings = Parameters<typeof streamText>[0];

export type AiSdkOptions = PortOptions & {
  /**
   * A model, or a function that makes one with a given `fetch`. A ready-made model sends by itself. Then all steps
   * share one deadline, `renew` cannot reach its connections, and its requests are not logged.
   */
  readonly model: LanguageModel | ((fetch: Fetch) => LanguageModel);
  /** The model name that selects the target, if a function makes the model. */
  readonly modelId?: string;
  /** Other request options: provider options, temperature, … */
  readonly params?: Partial<Omit<Settings, 'model' | 'messages' | 'prompt' | 'tools'>>;
};

/** A port for any model of the AI SDK. */
export function aiSdk(options: AiSdkOptions): ModelPort {
  const name = nameOf(options);
  const target = { dialect: 'ai-sdk-model', ...(name !== undefined && { model: name }) } as const;
  return portOf({ name: `ai-sdk/${name ?? 'model'}`, target }, options, (request, { stream }) => {
    const answer = new AiSdkAnswer();
    return {
      answer,
      refusal,
      kind,
      send: ({ fetch, signal }) => {
        const { model } = options;
        const asked = typeof model === 'function' ? model(fetch) : model;
        const settings = { ...settingsOf(request, options), model: asked, abortSignal: signal } as Settings;
        return stream ? begun(streamed(settings, answer)) : whole(settings);
      },
    };
  });
}

/** The parts of the stream; the messages follow at its end. */
async function* streamed(settings: Settings, answer: AiSdkAnswer): AsyncGenerator {
  // Errors also arrive as parts; without a listener the SDK would print them.
  const result = streamText({ ...settings, onError: () => undefined });
  let last: Omit<Finish, 'messages'> | undefined;
  for await (const part of result.fullStream) {
    yield part;
    if (part.type === 'finish-step') last = part;
    if (part.type === 'abort') return;
  }
  // The SDK invents an end for a broken stream, but without the provider's stop reason.
  if (last === undefined || (last.finishReason !== 'stop' && last.rawFinishReason === undefined)) return;
  const { messages } = await result.response;
  answer.finish({ ...last, messages });
}

/** The same stream after its head: the SDK says `start` before it sends the request. */
async function begun(parts: AsyncGenerator): Promise<AsyncIterable<unknown>> {
  let first = await parts.next();
  while (first.done !== true && wireOf(first.value)['type'] === 'start') first = await parts.next();
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* parts;
    } finally {
      await parts.return(undefined);
    }
  })();
}

async function whole(settings: Settings): Promise<Finish> {
  const { finishReason, rawFinishReason, usage, response, content } = await generateText(
    settings as Parameters<typeof generateText>[0],
  );
  return { messages: response.messages, content, finishReason, rawFinishReason, usage, response };
}

function settingsOf({ messages, system, tools, maxTokens }: ModelRequest, { params }: AiSdkOptions): object {
  const declared = tools.map(({ name, description, parameters }) => {
    const inputSchema = jsonSchema(parameters);
    return [name, tool({ inputSchema, ...(description !== undefined && { description }) })] as const;
  });
  return {
    maxRetries: 0,
    ...(system !== undefined && { system }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(declared.length > 0 && { tools: Object.fromEntries(declared) }),
    ...params,
    messages: messages as ModelMessage[],
  };
}

function nameOf({ model, modelId }: AiSdkOptions): string | undefined {
  if (modelId !== undefined || typeof model === 'function') return modelId;
  return typeof model === 'string' ? model : model.modelId;
}

/** A model that sends by itself reports the response in its error. */
function refusal(error: unknown): Refusal | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode ?? 0) < 400) return undefined;
  const { statusCode, responseHeaders, responseBody, message } = error;
  return {
    text: responseBody ?? message,
    ...(statusCode !== undefined && { status: statusCode }),
    ...(responseHeaders !== undefined && { headers: new Headers(responseHeaders) }),
  };
}

/** SDK error names for an unreadable response. */
const UNREADABLE = /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)Error$/;

/** Error codes of a connection that was never made; others mean a broken one. */
const UNMADE =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT|CERT_|ERR_TLS|DEPTH_ZERO)/;

/** The meaning of an error without a response, by its causes. */
function kind(error: unknown, streams: boolean): ModelErrorKind | undefined {
  const answered = APICallError.isInstance(error) && error.statusCode !== undefined;
  for (let each = error; each instanceof Error; each = each.cause) {
    const { name, code } = each as Error & { readonly code?: unknown };
    if (UNREADABLE.test(name)) return 'malformed';
    if (name === 'AI_NoOutputGeneratedError') return 'cut';
    if (typeof code === 'string') return UNMADE.test(code) ? 'connect' : answered && streams ? 'cut' : 'read';
  }
  return undefined;
}
