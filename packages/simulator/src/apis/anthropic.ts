import type { IncomingMessage } from 'node:http';

import { isObject, type JsonObject, type Refusal } from '../judges/docket.ts';
import { inputObject, inputText, type CallPart, type ReasoningPart, type Stop } from '../models/reply.ts';
import type { SealPlace } from '../models/seal-form.ts';
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

/** A block, and for a call the text of its input as it is streamed. */
interface Written {
  readonly block: Block;
  readonly raw?: string;
}

const blocksOf = (rendering: Rendering): Block[] => writtenOf(rendering).map(({ block }) => block);

function writtenOf(rendering: Rendering): Written[] {
  const written: Written[] = [];
  const chain = new ReasoningChain(rendering);
  for (const [index, part] of rendering.reply.parts.entries()) {
    if (part.kind === 'text') written.push({ block: { type: 'text', text: part.text } });
    else if (part.kind === 'call') written.push({ block: callBlock(rendering, part, index), raw: inputText(part) });
    else if (part.kind === 'opaque') written.push(opaqueBlock(part.value as Block));
    else if (part.kind === 'reasoning') written.push({ block: chain.next(part, written.at(-1)?.block) });
  }
  return written;
}

function opaqueBlock(block: Block): Written {
  return block.type === 'tool_use' ? { block, raw: JSON.stringify(block.input ?? {}) } : { block };
}

function callBlock(rendering: Rendering, part: CallPart, index: number): Block {
  const id = part.id ?? rendering.id('toolu_01', index);
  return { type: 'tool_use', id, name: part.tool, input: inputObject(part) ?? {} };
}

/** Seals the reasoning of one reply, each with its place among the others. */
class ReasoningChain {
  readonly #rendering: Rendering;
  readonly #total: number;
  readonly #continues: boolean;
  /** Tells this reply from others of its turn; the same request and reply are sealed alike. */
  readonly #reply: string;
  #index = 0;
  #previous: string | undefined;

  constructor(rendering: Rendering) {
    const { body, reply } = rendering;
    this.#rendering = rendering;
    this.#total = reply.parts.filter((part) => part.kind === 'reasoning' && part.seal === undefined).length;
    const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
    const last = messages.at(-1);
    const begun = isObject(last) && Array.isArray(last.content) ? last.content.length : 0;
    this.#reply = JSON.stringify([reply.parts, messages.length, begun]);
    // A reply to the assistant's own words goes on from them, and a client may keep both as one message.
    this.#continues = isObject(last) && last.role === 'assistant';
    this.#previous = rendering.bindsPrefix ? lastSeal(body) : undefined;
  }

  next(part: ReasoningPart, before: Block | undefined): Block {
    const seal = part.seal ?? this.#seal(part, before);
    this.#previous = seal;
    return part.redacted === true
      ? { type: 'redacted_thinking', data: seal }
      : { type: 'thinking', thinking: part.text, signature: seal };
  }

  #seal(part: ReasoningPart, before: Block | undefined): string {
    const { body, bindsPrefix } = this.#rendering;
    const redacted = part.redacted === true;
    const index = this.#index++;
    return this.#rendering.seal({
      kind: redacted ? 'redacted' : 'thinking',
      content: redacted ? undefined : part.text,
      previous: this.#previous,
      place: this.#place(before, index),
      among: { reply: this.#reply, index, total: this.#total },
      around: bindsPrefix ? { body, length: Array.isArray(body.messages) ? body.messages.length : 0 } : undefined,
    });
  }

  #place(before: Block | undefined, index: number): SealPlace {
    if (before?.type.endsWith('thinking') === true) return 'after-reasoning';
    if (index > 0) return 'later';
    return before === undefined && !this.#continues ? 'first' : 'after-others';
  }
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
  const written = writtenOf(rendering);
  const message = { ...messageOf(rendering, []), stop_reason: null, usage: usageOf(rendering, 1) };
  frames.event('message_start', { type: 'message_start', message });
  for (const [index, each] of written.entries()) streamBlock(frames, index, each);
  if (written.length === 0) frames.event('ping', { type: 'ping' });
  const delta = {
    stop_reason: STOP_REASONS[rendering.stop],
    stop_sequence: null,
    ...(rendering.stop === 'refusal' && { stop_details: refusalOf(rendering) }),
  };
  frames.event('message_delta', { type: 'message_delta', delta, usage: usageOf(rendering, rendering.usage.output) });
  frames.event('message_stop', { type: 'message_stop' });
  return frames;
}

function streamBlock(frames: Frames, index: number, { block, raw }: Written): void {
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
