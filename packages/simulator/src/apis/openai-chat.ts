import { isObject } from '../judges/docket.ts';
import { inputText, type CallPart, type RefusalPart, type Reply, type TextPart } from '../models/reply.ts';
import { bearer, type Api } from './api.ts';
import { Frames, inputPieces, pieces } from './frames.ts';
import { openaiErrors } from './openai-errors.ts';
import { longString } from './openai-limits.ts';
import type { Rendering } from './rendering.ts';

/** Chat completions. */
export const openaiChat: Api = {
  name: 'openai-chat',
  errors: openaiErrors({
    code: 'context_length_exceeded',
    param: 'messages',
    text:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131542 tokens. " +
      'Please reduce the length of the messages.',
  }),
  limitBytes: 50 * 1024 * 1024,
  requestIdHeader: 'x-request-id',
  key: bearer,
  preliminary: ({ body, bytes }) => longString(body, bytes),
  json: completionOf,
  stream,
};

const callsOf = ({ parts }: Reply): CallPart[] => parts.filter((part) => part.kind === 'call');

function textOf({ parts }: Reply, kind: 'text' | 'refusal'): string | null {
  const texts = parts.filter((part): part is TextPart | RefusalPart => part.kind === kind);
  return texts.length === 0 ? null : texts.map((part) => part.text).join('');
}

function finishReason({ stop, reply }: Rendering): string {
  if (stop === 'length') return 'length';
  if (stop === 'calls') return 'tool_calls';
  return stop === 'refusal' && textOf(reply, 'refusal') === null ? 'content_filter' : 'stop';
}

function completionOf(rendering: Rendering): object {
  const { reply } = rendering;
  const calls = callsOf(reply).map((part, index) => ({
    id: part.id ?? rendering.id('call_', index),
    type: 'function',
    function: { name: part.tool, arguments: inputText(part) },
  }));
  const message = {
    role: 'assistant',
    content: textOf(reply, 'text'),
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: textOf(reply, 'refusal'),
    annotations: [],
  };
  return {
    id: rendering.id('chatcmpl-'),
    object: 'chat.completion',
    created: rendering.created,
    model: rendering.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(rendering) }],
    usage: usageOf(rendering),
    service_tier: 'default',
    system_fingerprint: 'fp_simulated',
  };
}

function usageOf({ usage }: Rendering): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
  };
}

function stream(rendering: Rendering): Frames {
  const { body, reply } = rendering;
  const frames = new Frames();
  const wanted = isObject(body.stream_options) && body.stream_options.include_usage === true;
  const head = {
    id: rendering.id('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: rendering.created,
    model: rendering.model,
    service_tier: 'default',
    system_fingerprint: 'fp_simulated',
  };
  const send = (delta: object, finish: string | null = null): void =>
    frames.data({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(wanted && { usage: null }),
    });
  const calls = callsOf(reply);
  const words = textOf(reply, 'text');
  send({ role: 'assistant', content: words === null && calls.length > 0 ? null : '', refusal: null });
  for (const content of pieces(words ?? '')) send({ content });
  for (const refusal of pieces(textOf(reply, 'refusal') ?? '')) send({ refusal });
  for (const [index, part] of calls.entries()) {
    const id = part.id ?? rendering.id('call_', index);
    send({ tool_calls: [{ index, id, type: 'function', function: { name: part.tool, arguments: '' } }] });
    for (const piece of inputPieces(inputText(part))) send({ tool_calls: [{ index, function: { arguments: piece } }] });
    frames.markCall();
  }
  send({}, finishReason(rendering));
  if (wanted) frames.data({ ...head, choices: [], usage: usageOf(rendering) });
  frames.data('[DONE]');
  return frames;
}
