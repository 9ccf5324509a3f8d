import { isObject, type JsonObject } from '../judges/docket.ts';
import { inputText, type CallPart, type ReasoningPart } from '../models/reply.ts';
import { bearer, type Api } from './api.ts';
import { openaiErrors } from './openai-errors.ts';
import { longString } from './openai-limits.ts';
import { streamResponse } from './openai-responses-stream.ts';
import type { Rendering } from './rendering.ts';
import { inputOf, type StoredResponses } from './stored-responses.ts';

/** The Responses API, whose server remembers what it stored. */
export function openaiResponses(stored: StoredResponses): Api {
  const write = (rendering: Rendering): JsonObject => {
    const output = outputOf(rendering);
    const response = responseOf(rendering, output);
    if (rendering.body.store !== false) stored.keep(String(response.id), rendering.body, output);
    return response;
  };
  return {
    name: 'openai-responses',
    errors: openaiErrors({
      code: 'context_length_exceeded',
      param: 'input',
      text: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    }),
    limitBytes: 50 * 1024 * 1024,
    requestIdHeader: 'x-request-id',
    key: bearer,
    preliminary: ({ body, bytes }) => longString(body, bytes),
    context: (body) => {
      const previous = body.previous_response_id;
      if (typeof previous !== 'string') return body;
      return { ...body, input: [...(stored.chain(previous) ?? []), ...inputOf(body)] };
    },
    json: write,
    stream: (rendering) => streamResponse(write(rendering)),
  };
}

function responseOf(rendering: Rendering, output: readonly JsonObject[]): JsonObject {
  const { body, created, model, stop, usage } = rendering;
  const cutShort = stop === 'length';
  return {
    id: rendering.id('resp_'),
    object: 'response',
    created_at: created,
    status: cutShort ? 'incomplete' : 'completed',
    background: false,
    error: null,
    incomplete_details: cutShort ? { reason: 'max_output_tokens' } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

function outputOf(rendering: Rendering): JsonObject[] {
  const { parts } = rendering.reply;
  const output: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    const status = rendering.stop === 'length' && index === parts.length - 1 ? 'incomplete' : 'completed';
    if (part.kind === 'reasoning') output.push(reasoningOf(rendering, part, index));
    else if (part.kind === 'call') output.push({ ...callOf(rendering, part, index), status });
    else if (part.kind === 'opaque') output.push(part.value);
    else {
      const content =
        part.kind === 'text'
          ? { type: 'output_text', annotations: [], logprobs: [], text: part.text }
          : { type: 'refusal', refusal: part.text };
      output.push({ id: rendering.id('msg_', index), type: 'message', status, role: 'assistant', content: [content] });
    }
  }
  return output;
}

function reasoningOf(rendering: Rendering, part: ReasoningPart, index: number): JsonObject {
  const { include } = rendering.body;
  const summary = part.redacted === true || part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  const sealed = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  const id = rendering.id('rs_', index);
  const seal = (): string => part.seal ?? rendering.seal({ kind: 'item', content: id });
  return { id, type: 'reasoning', summary, ...(sealed && { encrypted_content: seal() }) };
}

function callOf(rendering: Rendering, part: CallPart, index: number): JsonObject {
  const call = { call_id: part.id ?? rendering.id('call_', index), name: part.tool };
  const { tools } = rendering.body;
  const custom =
    Array.isArray(tools) && tools.some((tool) => isObject(tool) && tool.type === 'custom' && tool.name === part.tool);
  return custom
    ? { id: rendering.id('ctc_', index), type: 'custom_tool_call', ...call, input: inputText(part) }
    : { id: rendering.id('fc_', index), type: 'function_call', ...call, arguments: inputText(part) };
}
