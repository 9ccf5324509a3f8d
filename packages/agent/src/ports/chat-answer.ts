import { createAccumulator } from '@rethread/core/streams';

import type { ModelEvent, Stop } from '../model-port.ts';
import { Malformed, Refused, type Answer, type End } from './converse.ts';
import { listOf, numberOf, textOf, wireOf, type Wire } from './wire.ts';

const STOPS: Readonly<Record<string, Stop>> = { length: 'length', content_filter: 'refusal' };

/** An answer of the Chat Completions API or a compatible host. */
export class ChatAnswer implements Answer {
  readonly #stream = createAccumulator<Wire>('openai-chat');
  readonly #calls = new Map<unknown, { callId: string; tool: string }>();
  #whole: Wire | undefined;
  #head: Wire = {};
  #usage: Wire | undefined;
  #finish: unknown;

  push(chunk: unknown): readonly ModelEvent[] {
    const wire = wireOf(chunk);
    this.#begin(wire);
    this.#stream.push(chunk);
    const choice = wireOf(listOf(wire['choices']).find((each) => numberOf(wireOf(each)['index']) === 0));
    if (typeof choice['finish_reason'] === 'string') this.#finish = choice['finish_reason'];
    const delta = wireOf(choice['delta']);
    const calls = listOf(delta['tool_calls']).map((call, place) => this.#called(wireOf(call), place));
    return [...saidIn(delta), ...calls];
  }

  take(response: unknown): readonly ModelEvent[] {
    const wire = wireOf(response);
    if (wire['error'] !== undefined && wire['error'] !== null) throw refused(wire['error']);
    const choice = wireOf(listOf(wire['choices'])[0]);
    const message = wireOf(choice['message']);
    if (message['role'] === undefined) throw new Malformed('the answer has no message');
    this.#begin(wire);
    this.#finish = choice['finish_reason'];
    this.#whole = message;
    return [...saidIn(message), ...listOf(message['tool_calls']).map((call, at) => this.#called(wireOf(call), at))];
  }

  end(): End | undefined {
    if (this.#whole === undefined && !this.#stream.complete) return undefined;
    const messages = this.partial();
    const { id, model } = this.#head;
    const { prompt_tokens: input, completion_tokens: output } = this.#usage ?? {};
    return {
      kind: 'end',
      messages,
      stop: this.#stop(wireOf(messages[0])),
      ...(this.#usage !== undefined && { usage: { input: numberOf(input), output: numberOf(output) } }),
      ...(typeof id === 'string' && { responseId: id }),
      ...(typeof model === 'string' && { responseModel: model }),
    };
  }

  partial(): readonly unknown[] {
    const message = this.#whole ?? this.#stream.partial();
    return message === undefined || isHollow(message) ? [] : [message];
  }

  /** Some hosts say `stop` after calls. */
  #stop({ tool_calls: calls, refusal }: Wire): Stop {
    const known = STOPS[textOf(this.#finish)];
    if (known !== undefined) return known;
    if (textOf(refusal) !== '') return 'refusal';
    return listOf(calls).length > 0 ? 'calls' : 'end';
  }

  #begin(wire: Wire): void {
    this.#head = { ...this.#head, ...wire };
    if (typeof wire['usage'] === 'object' && wire['usage'] !== null) this.#usage = wireOf(wire['usage']);
  }

  /** Id and name come once, with the first piece. */
  #called(call: Wire, place: number): ModelEvent {
    const index = call['index'] ?? place;
    const spec = wireOf(call['function'] ?? call['custom']);
    const before = this.#calls.get(index);
    const callId = textOf(call['id']) || (before?.callId ?? '');
    const tool = textOf(spec['name']) || (before?.tool ?? '');
    this.#calls.set(index, { callId, tool });
    return { kind: 'call', callId, tool, fragment: textOf(spec['arguments'] ?? spec['input']) };
  }
}

/** Some hosts respond with 200 and put the error status inside. */
function refused(error: unknown): Refused {
  const { message, code } = wireOf(error);
  const text = JSON.stringify(error);
  const status = typeof code === 'number' && code >= 400 && code < 600 ? { status: code } : {};
  return new Refused(textOf(message) || text, { text, ...status });
}

function isHollow({ content, tool_calls: calls, refusal, ...rest }: Wire): boolean {
  const reasons = textOf(rest['reasoning_content'] ?? rest['reasoning']) !== '' || rest['audio'] !== undefined;
  const silent = content === undefined || content === null || content === '';
  return silent && listOf(calls).length === 0 && textOf(refusal) === '' && !reasons;
}

/** Hosts that send reasoning use one of two keys. */
function saidIn({ content, refusal, reasoning_content: reasoned, reasoning }: Wire): readonly ModelEvent[] {
  const thought = textOf(reasoned ?? reasoning);
  const text = textOf(content) + textOf(refusal);
  return [
    ...(thought === '' ? [] : [{ kind: 'reasoning' as const, text: thought }]),
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
  ];
}
