import { createAccumulator } from '@rethread/core/streams';

import type { ModelEvent, Stop } from '../model-port.ts';
import { Malformed, type Answer, type End } from './converse.ts';
import { listOf, numberOf, textOf, wireOf, type Wire } from './wire.ts';

const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'pause',
};

/** An answer of the Messages API. */
export class AnthropicAnswer implements Answer {
  readonly #stream = createAccumulator<Wire>('anthropic-messages');
  readonly #blocks = new Map<unknown, { readonly wire: Wire; open: boolean }>();
  #whole: Wire | undefined;
  #head: Wire = {};
  #usage: Wire = {};
  #stopReason: unknown;

  push(event: unknown): readonly ModelEvent[] {
    const wire = wireOf(event);
    const seen = this.#follow(wire);
    this.#stream.push(event);
    return seen;
  }

  take(response: unknown): readonly ModelEvent[] {
    const message = wireOf(response);
    if (!Array.isArray(message['content'])) throw new Malformed('the answer has no content');
    this.#begin(message);
    this.#stopReason = message['stop_reason'];
    this.#whole = { role: 'assistant', content: message['content'] };
    return listOf(message['content']).flatMap((block) => shownOf(wireOf(block)));
  }

  end(): End | undefined {
    if (this.#whole === undefined && !this.#stream.complete) return undefined;
    const messages = this.partial();
    const { id, model } = this.#head;
    const calls = messages.some((message) =>
      listOf(wireOf(message)['content']).some((block) => wireOf(block)['type'] === 'tool_use'),
    );
    const known = STOPS[textOf(this.#stopReason)];
    return {
      kind: 'end',
      messages,
      stop: known ?? (calls ? 'calls' : 'end'),
      usage: {
        input: numberOf(this.#usage['input_tokens']) + cachedOf(this.#usage),
        output: numberOf(this.#usage['output_tokens']),
      },
      ...(typeof id === 'string' && { responseId: id }),
      ...(typeof model === 'string' && { responseModel: model }),
    };
  }

  partial(): readonly unknown[] {
    const message = this.#whole ?? this.#stream.partial();
    return message === undefined || listOf(message['content']).length === 0 ? [] : [message];
  }

  /** What one event shows. An event out of order would silently lose text, so it ends the answer. */
  #follow(event: Wire): readonly ModelEvent[] {
    const { type, index } = event;
    const block = this.#blocks.get(index);
    if (type === 'message_start') this.#begin(wireOf(event['message']));
    if (type === 'message_delta') {
      this.#usage = { ...this.#usage, ...known(wireOf(event['usage'])) };
      this.#stopReason = wireOf(event['delta'])['stop_reason'];
    }
    if (type === 'content_block_start') {
      if (block !== undefined) throw new Malformed(`content block ${String(index)} begins twice`);
      const wire = wireOf(event['content_block']);
      this.#blocks.set(index, { wire, open: true });
      return isCall(wire) ? [callOf(wire, '')] : shownOf(wire);
    }
    if (type !== 'content_block_delta' && type !== 'content_block_stop') return [];
    if (block?.open !== true) throw new Malformed(`content block ${String(index)} is not open`);
    if (type === 'content_block_stop') block.open = false;
    return shownOfDelta(block.wire, wireOf(event['delta']));
  }

  #begin(message: Wire): void {
    this.#head = message;
    this.#usage = wireOf(message['usage']);
  }
}

function known(usage: Wire): Wire {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

/** Cached tokens are part of the prompt too. */
function cachedOf({ cache_read_input_tokens: read, cache_creation_input_tokens: written }: Wire): number {
  return numberOf(read) + numberOf(written);
}

function isCall({ type }: Wire): boolean {
  return type === 'tool_use';
}

function callOf({ id, name }: Wire, fragment: string): ModelEvent {
  return { kind: 'call', callId: textOf(id), tool: textOf(name), fragment };
}

function shownOf(block: Wire): readonly ModelEvent[] {
  const { type, text, thinking, input } = block;
  if (isCall(block)) return [callOf(block, JSON.stringify(input ?? {}))];
  if (type === 'thinking') return said('reasoning', thinking);
  return type === 'text' ? said('text', text) : [];
}

function shownOfDelta(block: Wire, { text, thinking, partial_json: json }: Wire): readonly ModelEvent[] {
  if (isCall(block)) return textOf(json) === '' ? [] : [callOf(block, textOf(json))];
  return [...said('reasoning', thinking), ...said('text', text)];
}

function said(kind: 'text' | 'reasoning', text: unknown): readonly ModelEvent[] {
  return textOf(text) === '' ? [] : [{ kind, text: textOf(text) }];
}
