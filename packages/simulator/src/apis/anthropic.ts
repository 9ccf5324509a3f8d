import type { IncomingMessage } from 'node:http';

import { isObject, type JsonObject, type Refusal } from '../judges/docket.ts';
import { inputObject, inputText, type CallPart, type ReasoningPart, type Stop } from '../models/reply.ts';
import type { ToSeal } from '../models/seals.ts';
import { anthropicErrors } from './anthropic-errors.ts';
import { bearer, type Api, type Received } from './api.ts';
import { Frames, inputPieces, pieces } from './frames.ts';
import type { Rendering } from './rendering.ts';

const STOP_REASONS: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  pause: 'pause_turn',
  refusal: 'refusal',
};

type Block = JsonObject & { readonly type: string };

/** The Messages API. */
export const anthropic: Api = {
  name: 'anthropic-messages',
  errors: anthropicErrors,
  limitBytes: 32 * 1024 * 1024,
  requestIdHeader: 'request-id',
  // The official client sends its key as a bearer token, others as a header of its own.
  key: (request) => headerOf(request, 'x-api-key') ?? bearer(request),
  preliminary,
  json: (rendering) => messageOf(rendering, blocksOf(rendering)),
  stream,
};

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function preliminary({ request, body }: Received): Refusal | undefined {
  if (headerOf(request, 'anthropic-version') === undefined) {
    return { row: 'version', pointer: '', text: 'anthropic-version: header is required' };
  }
  return isObject(body.thread) && headerOf(request, 'anthropic-beta')?.includes('message-threads') === true
    ? NO_THREADS
    : undefined;
}

/** No conversation is held here between requests; a client that reads the code sends the whole history instead. */
const NO_THREADS: Refusal = {
  row: 'thread',
  pointer: '/thread',
  text: 'thread: this request cannot be threaded; send the whole conversation without `thread`',
  details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
};

function messageOf(rendering: Rendering, content: readonly Block[]): JsonObject {
  return {
    id: rendering.id('msg_01'),
    type: 'message',
    role: 'assistant',
    model: rendering.model,
    content,
    stop_reason: STOP_REASONS[rendering.stop],
    stop_sequence: null,
    ...(rendering.stop === 'refusal' && { stop_details: refusalOf(rendering) }),
    usage: usageOf(rendering, rendering.usage.output),
  };
}

function refusalOf({ reply }: Rendering): JsonObject {
  const words = reply.parts.find((part) => part.kind === 'refusal')?.text;
  return { type: 'refusal', category: null, explanation: words ?? null };
}

function usageOf({ usage }: Rendering, output: number): JsonObject {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: output,
    service_tier: 'standard',
  };
}

function blocksOf(rendering: Rendering): Block[] {
  const blocks: Block[] = [];
  let previous = rendering.bindsPrefix ? lastSeal(rendering.body) : undefined;
  let place: 'first' | 'later' = 'first';
  for (const [index, part] of rendering.reply.parts.entries()) {
    if (part.kind === 'text') blocks.push({ type: 'text', text: part.text });
    else if (part.kind === 'call') blocks.push(callBlock(rendering, part, index));
    else if (part.kind === 'opaque') blocks.push(part.value as Block);
    else if (part.kind === 'reasoning') {
      const adjacent = blocks.at(-1)?.type.endsWith('thinking') === true;
      const seal = part.seal ?? sealOf(rendering, part, { previous, place: adjacent ? 'after-reasoning' : place });
      previous = seal;
      place = 'later';
      blocks.push(
        part.redacted === true
          ? { type: 'redacted_thinking', data: seal }
          : { type: 'thinking', thinking: part.text, signature: seal },
      );
    }
  }
  return blocks;
}

function callBlock(rendering: Rendering, part: CallPart, index: number): Block {
  const id = part.id ?? rendering.id('toolu_01', index);
  return { type: 'tool_use', id, name: part.tool, input: inputObject(part) ?? {} };
}

type Standing = Pick<ToSeal, 'previous' | 'place'>;

function sealOf(rendering: Rendering, part: ReasoningPart, standing: Standing): string {
  const { body } = rendering;
  const length = Array.isArray(body.messages) ? body.messages.length : 0;
  const around = rendering.bindsPrefix ? { body, length } : undefined;
  return rendering.seal({ content: part.redacted === true ? undefined : part.text, around, ...standing });
}

function lastSeal(body: JsonObject): string | undefined {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (let j = message.content.length - 1; j >= 0; j--) {
      const part: unknown = message.content[j];
      if (!isObject(part)) continue;
      const seal =
        part.type === 'thinking' ? part.signature : part.type === 'redacted_thinking' ? part.data : undefined;
      if (typeof seal === 'string') return seal;
    }
  }
  return undefined;
}

function stream(rendering: Rendering): Frames {
  const frames = new Frames();
  const blocks = blocksOf(rendering);
  const message = { ...messageOf(rendering, []), stop_reason: null, usage: usageOf(rendering, 1) };
  frames.event('message_start', { type: 'message_start', message });
  const raws = rendering.reply.parts.filter((part) => part.kind === 'call').map(inputText);
  for (const [index, block] of blocks.entries()) {
    const raw = block.type === 'tool_use' ? raws.shift() : undefined;
    streamBlock(frames, index, { block, raw });
  }
  if (blocks.length === 0) frames.event('ping', { type: 'ping' });
  const delta = {
    stop_reason: STOP_REASONS[rendering.stop],
    stop_sequence: null,
    ...(rendering.stop === 'refusal' && { stop_details: refusalOf(rendering) }),
  };
  frames.event('message_delta', { type: 'message_delta', delta, usage: usageOf(rendering, rendering.usage.output) });
  frames.event('message_stop', { type: 'message_stop' });
  return frames;
}

function streamBlock(frames: Frames, index: number, { block, raw }: { block: Block; raw: string | undefined }): void {
  frames.event('content_block_start', { type: 'content_block_start', index, content_block: emptied(block) });
  if (index === 0) frames.event('ping', { type: 'ping' });
  const send = (delta: object): void =>
    frames.event('content_block_delta', { type: 'content_block_delta', index, delta });
  if (block.type === 'text') for (const text of pieces(String(block.text))) send({ type: 'text_delta', text });
  else if (block.type === 'thinking') {
    for (const thinking of pieces(String(block.thinking))) send({ type: 'thinking_delta', thinking });
    send({ type: 'signature_delta', signature: block.signature });
  } else if (raw !== undefined) {
    send({ type: 'input_json_delta', partial_json: '' });
    for (const piece of inputPieces(raw)) send({ type: 'input_json_delta', partial_json: piece });
    frames.markCall();
  }
  frames.event('content_block_stop', { type: 'content_block_stop', index });
}

/** A block as it is announced; what is not streamed is announced whole. */
function emptied(block: Block): Block {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
}
