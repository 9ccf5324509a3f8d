import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { repair } from '@rethread/core';
import type { Simulator } from '@rethread/simulator';

import { KEY } from '../../../simulator/test/clients/surroundings.ts';
import { realClock, type Clock } from '../../src/clock.ts';
import type { LogLine } from '../../src/logger.ts';
import { ModelError, type CallOptions, type ModelEvent, type ModelPort } from '../../src/model-port.ts';
import { aiSdk } from '../../src/ports/ai-sdk.ts';
import { anthropic } from '../../src/ports/anthropic.ts';
import { openaiChat, openaiResponses } from '../../src/ports/openai.ts';
import type { PortOptions } from '../../src/ports/port.ts';

type Called = { readonly callId: string; readonly tool: string };

/** One port against the simulator, with its result format. */
export type Provider = {
  readonly name: string;
  readonly port: (simulator: Simulator, options?: PortOptions) => ModelPort;
  readonly results: (calls: readonly Called[], text: string) => unknown[];
};

const aiResults: Provider['results'] = (calls, text) => [
  {
    role: 'tool',
    content: calls.map(({ callId, tool }) => ({
      type: 'tool-result',
      toolCallId: callId,
      toolName: tool,
      output: { type: 'text', value: text },
    })),
  },
];

export const PROVIDERS: readonly Provider[] = [
  {
    name: 'anthropic',
    port: ({ baseUrls }, options) =>
      anthropic({
        model: 'claude-fable-5-1',
        apiKey: KEY,
        baseURL: baseUrls.anthropic,
        params: { thinking: { type: 'adaptive' } },
        ...options,
      }),
    results: (calls, text) => [
      {
        role: 'user',
        content: calls.map(({ callId }) => ({ type: 'tool_result', tool_use_id: callId, content: text })),
      },
    ],
  },
  {
    name: 'openaiChat',
    port: ({ baseUrls }, options) =>
      openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: baseUrls.openai, ...options }),
    results: (calls, text) => calls.map(({ callId }) => ({ role: 'tool', tool_call_id: callId, content: text })),
  },
  {
    name: 'openaiResponses',
    port: ({ baseUrls }, options) =>
      openaiResponses({
        model: 'gpt-5',
        apiKey: KEY,
        baseURL: baseUrls.openai,
        params: { reasoning: { effort: 'low', summary: 'auto' } },
        ...options,
      }),
    results: (calls, text) =>
      calls.map(({ callId }) => ({ type: 'function_call_output', call_id: callId, output: text })),
  },
  {
    name: 'aiSdk with a function that makes the model',
    port: ({ url }, options) =>
      aiSdk({
        modelId: 'claude-sonnet-4-5',
        model: (fetch) => createAnthropic({ apiKey: KEY, baseURL: `${url}/v1`, fetch })('claude-sonnet-4-5'),
        ...options,
      }),
    results: aiResults,
  },
  {
    name: 'aiSdk with a ready-made model',
    port: ({ baseUrls }, options) =>
      aiSdk({ model: createOpenAI({ apiKey: KEY, baseURL: baseUrls.openai }).chat('gpt-4.1'), ...options }),
    results: aiResults,
  },
];

export const TOOLS = [
  {
    name: 'read',
    description: 'reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

/** The outcome of one call. */
export type Outcome = {
  readonly events: readonly ModelEvent[];
  readonly end: Extract<ModelEvent, { kind: 'end' }> | undefined;
  readonly error: ModelError | undefined;
};

export type Ask = Partial<CallOptions> & {
  readonly messages: readonly unknown[];
  readonly onEvent?: (event: ModelEvent, index: number) => void;
};

/** Asks with a history prepared for the port and collects the events. */
export async function ask(port: ModelPort, { messages, onEvent, ...options }: Ask): Promise<Outcome> {
  const { output } = repair([...messages], { ...port.target, purpose: 'request' });
  const events: ModelEvent[] = [];
  const clock: Clock = options.clock ?? realClock;
  const call = { signal: new AbortController().signal, stream: true, log: () => undefined, ...options, clock };
  try {
    for await (const event of port.call({ messages: output, system: 'Be brief.', tools: TOOLS }, call)) {
      events.push(event);
      onEvent?.(event, events.length - 1);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, end: undefined, error };
  }
  const last = events.at(-1);
  return { events, end: last?.kind === 'end' ? last : undefined, error: undefined };
}

/** The shown calls, each once. */
export function callsIn(events: readonly ModelEvent[]): Called[] {
  const calls = events.flatMap((event) => (event.kind === 'call' ? [{ callId: event.callId, tool: event.tool }] : []));
  return [...new Map(calls.map((call) => [call.callId, call])).values()];
}

/** The shown text. */
export function textIn(events: readonly ModelEvent[], kind: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.kind === kind ? event.text : '')).join('');
}

export const user = (content: string): unknown => ({ role: 'user', content });

/** A readable log. */
export function collected(): { lines: LogLine[]; log: (line: LogLine) => void } {
  const lines: LogLine[] = [];
  return { lines, log: (line) => void lines.push(line) };
}
