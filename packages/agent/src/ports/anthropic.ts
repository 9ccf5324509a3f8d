import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { repair } from '@rethread/core';

import type { CallOptions, ModelPort, ModelRequest } from '../model-port.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import type { Refusal } from './classify.ts';
import { portOf, type PortOptions } from './port.ts';
import { refuseOldSdk } from './refuse-old-sdk.ts';
import { wireOf } from './wire.ts';

export type { ModelPort } from '../model-port.ts';

export type AnthropicOptions = PortOptions & {
  readonly model: string;
  /**
   * A client for its key, address, headers and middleware (default: the environment). The port uses its own
   * connections, and the loop its own retries.
   */
  readonly client?: Anthropic;
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** Maximum answer length, unless a request sets it. */
  readonly maxTokens?: number;
  /** Other request options: thinking, temperature, cache markers, … */
  readonly params?: Partial<Anthropic.MessageCreateParams>;
};

const MAX_TOKENS = 8192;

/** Longer than all our deadlines, because the SDK's timer covers only one step and another clock. */
const NEVER_MS = 2_147_483_647;

/** A port for the Messages API. */
export function anthropic(options: AnthropicOptions): ModelPort {
  const { model } = options;
  refuseOldSdk(options.client ?? Anthropic.prototype, '@anthropic-ai/sdk 0.90');
  let client: Anthropic | undefined;
  const port = portOf(
    { name: `anthropic/${model}`, target: { dialect: 'anthropic-messages', model } },
    options,
    (request, { stream, log }) => ({
      answer: new AnthropicAnswer(),
      refusal,
      send: ({ fetch, signal }) => {
        client ??= options.client ?? clientOf(options);
        const body = { ...withFitThinking(bodyOf(request, options), log), stream } as Anthropic.MessageCreateParams;
        const quiet = { maxRetries: 0, timeout: NEVER_MS, logLevel: 'off', fetch } as const;
        return client.withOptions(quiet).messages.create(body, { signal });
      },
    }),
  );
  return {
    ...port,
    renew: () => {
      client = undefined;
      return port.renew();
    },
  };
}

function clientOf({ apiKey, baseURL }: AnthropicOptions): Anthropic {
  return new Anthropic({ ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) });
}

function bodyOf(request: ModelRequest, { model, maxTokens, params }: AnthropicOptions): object {
  const tools = request.tools.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters,
  }));
  return {
    model,
    max_tokens: request.maxTokens ?? maxTokens ?? MAX_TOKENS,
    ...(request.system !== undefined && { system: request.system }),
    ...(tools.length > 0 && { tools }),
    ...params,
    messages: request.messages,
  };
}

/**
 * With manual thinking, a continued step must start with a thinking block. If the block is lost or from another model,
 * the step continues without thinking; the next turn thinks again.
 */
function withFitThinking(body: object, log: CallOptions['log']): object {
  const { thinking } = body as { readonly thinking?: unknown };
  if (wireOf(thinking)['type'] !== 'enabled') return body;
  const fit = wireOf(repair(body, { dialect: 'anthropic-messages', purpose: 'request' }).output)['thinking'];
  if (wireOf(fit)['type'] !== 'disabled') return body;
  log({ level: 'info', event: 'thinking-is-off' });
  return { ...body, thinking: fit };
}

/** An error inside a stream has a type instead of a status. */
function refusal(error: unknown): Refusal | undefined {
  if (!(error instanceof APIError) || error.error === undefined) return undefined;
  const { status, headers } = error;
  const text = typeof error.error === 'string' ? error.error : JSON.stringify(error.error);
  return { text, ...(status !== undefined && { status }), ...(headers !== undefined && { headers }) };
}
