import type { ModelEvent, Stop } from '../model-port.ts';
import { Malformed, Refused, type Answer, type End } from './converse.ts';
import { listOf, numberOf, textOf, wireOf, type Wire } from './wire.ts';

const STOPS: Readonly<Record<string, Stop>> = {
  stop: 'end',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'refusal',
};

/** Stop reasons that the SDK does not know. */
const RAW_STOPS: Readonly<Record<string, Stop>> = { pause_turn: 'pause', refusal: 'refusal' };

/** A partial piece of the answer. */
type Piece = { readonly type: 'text' | 'reasoning' | 'tool-call'; wire: Wire };

/** The SDK's final messages and stop reason. */
export type Finish = {
  readonly messages: readonly unknown[];
  /** The parts of a complete answer, in order. */
  readonly content?: readonly unknown[];
  readonly finishReason: unknown;
  readonly rawFinishReason?: unknown;
  readonly usage: unknown;
  readonly response: unknown;
};

/** An answer of any AI SDK model, from its full stream. */
export class AiSdkAnswer implements Answer {
  readonly #pieces = new Map<string, Piece>();
  /** The raw input of calls that the SDK could not parse, by id. */
  readonly #unread = new Map<unknown, string>();
  #finish: Finish | undefined;

  push(event: unknown): readonly ModelEvent[] {
    const part = wireOf(event);
    const { type, id, text, delta, error } = part;
    switch (type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'reasoning-end':
        return this.#say(type.startsWith('text') ? 'text' : 'reasoning', part, '');
      case 'text-delta':
      case 'reasoning-delta':
        return this.#say(type === 'text-delta' ? 'text' : 'reasoning', part, textOf(text ?? delta));
      case 'tool-input-start':
        return this.#call(textOf(id), { toolName: textOf(part['toolName']) }, '');
      case 'tool-input-delta':
        return this.#call(textOf(id), {}, textOf(delta));
      case 'tool-call':
        return this.#called(part);
      case 'error':
        throw errorOf(error);
      case 'ping':
        return [{ kind: 'alive' }];
      default:
        return [];
    }
  }

  take(response: unknown): readonly ModelEvent[] {
    const finish = response as Finish;
    for (const part of listOf(finish.content)) this.#noteUnread(wireOf(part));
    this.finish(finish);
    return listOf(this.#finish?.messages).flatMap((message) => {
      const { role, content } = wireOf(message);
      if (role !== 'assistant') return [];
      return typeof content === 'string' ? said('text', content) : listOf(content).flatMap(shownOf);
    });
  }

  finish(finish: Finish): void {
    this.#finish = { ...finish, messages: finish.messages.flatMap((message) => this.#asCame(wireOf(message))) };
  }

  /**
   * The SDK answers calls that it cannot parse and gives them an empty input. The loop answers them itself, and the
   * model's input must not run.
   */
  #asCame(message: Wire): readonly Wire[] {
    const { role, content } = message;
    if (role === 'tool') return [];
    if (this.#unread.size === 0 || !Array.isArray(content)) return [message];
    const parts = listOf(content).map((each) => {
      const part = wireOf(each);
      const input = part['type'] === 'tool-call' ? this.#unread.get(part['toolCallId']) : undefined;
      return input === undefined ? each : { ...part, input };
    });
    return [{ ...message, content: parts }];
  }

  #noteUnread({ type, toolCallId, input, invalid }: Wire): void {
    if (type === 'tool-call' && invalid === true && typeof input === 'string') this.#unread.set(toolCallId, input);
  }

  end(): End | undefined {
    if (this.#finish === undefined) return undefined;
    const { finishReason, rawFinishReason, usage, response } = this.#finish;
    const { inputTokens, outputTokens } = wireOf(usage);
    const { id, modelId } = wireOf(response);
    return {
      kind: 'end',
      messages: this.partial(),
      stop: RAW_STOPS[textOf(rawFinishReason)] ?? STOPS[textOf(finishReason)] ?? 'end',
      usage: { input: numberOf(inputTokens), output: numberOf(outputTokens) },
      ...(typeof id === 'string' && { responseId: id }),
      ...(typeof modelId === 'string' && { responseModel: modelId }),
    };
  }

  partial(): readonly unknown[] {
    if (this.#finish !== undefined) return this.#finish.messages;
    const content = [...this.#pieces.values()].flatMap(({ type, wire }) =>
      type === 'tool-call' || textOf(wire['text']) !== '' ? [wire] : [],
    );
    return content.length === 0 ? [] : [{ role: 'assistant', content }];
  }

  /** Provider metadata of a part, such as its signature, goes back with the part. */
  #say(type: 'text' | 'reasoning', part: Wire, text: string): readonly ModelEvent[] {
    const key = `${type} ${textOf(part['id'])}`;
    const { wire } = this.#pieces.get(key) ?? { wire: { type, text: '' } };
    const metadata = part['providerMetadata'];
    const grown = {
      ...wire,
      text: textOf(wire['text']) + text,
      ...(metadata !== undefined && { providerOptions: metadata }),
    };
    this.#pieces.set(key, { type, wire: grown });
    return said(type, text);
  }

  /** The input of an incomplete call stays text. */
  #call(id: string, named: { toolName?: string }, fragment: string): readonly ModelEvent[] {
    const before = this.#pieces.get(id)?.wire ?? { type: 'tool-call', toolCallId: id, toolName: '', input: '' };
    const wire: Wire = { ...before, ...named, input: textOf(before['input']) + fragment };
    this.#pieces.set(id, { type: 'tool-call', wire });
    return [{ kind: 'call', callId: id, tool: textOf(wire['toolName']), fragment }];
  }

  #called(part: Wire): readonly ModelEvent[] {
    this.#noteUnread(part);
    const { toolCallId, toolName, input, providerMetadata, providerExecuted } = part;
    const begun = this.#pieces.has(textOf(toolCallId));
    const wire: Wire = {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      ...(providerExecuted !== undefined && { providerExecuted }),
      ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
    };
    this.#pieces.set(textOf(toolCallId), { type: 'tool-call', wire });
    return begun ? [] : shownOf(wire);
  }
}

/** Text is the SDK's complaint about a part; an object is the provider's error. */
function errorOf(error: unknown): Error {
  if (error instanceof Error) return error;
  if (typeof error === 'string') return new Malformed(error);
  const text = JSON.stringify(error) ?? '';
  return new Refused(textOf(wireOf(error)['message']) || text, { text });
}

function shownOf(part: unknown): readonly ModelEvent[] {
  const { type, text, toolCallId, toolName, input } = wireOf(part);
  if (type === 'text' || type === 'reasoning') return said(type, textOf(text));
  if (type !== 'tool-call') return [];
  const fragment = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return [{ kind: 'call', callId: textOf(toolCallId), tool: textOf(toolName), fragment }];
}

function said(kind: 'text' | 'reasoning', text: string): readonly ModelEvent[] {
  return text === '' ? [] : [{ kind, text }];
}
