import { createAccumulator } from '@rethread/core/streams';

import type { ModelEvent, Stop } from '../model-port.ts';
import { Malformed, Refused, type Answer, type End } from './converse.ts';
import { listOf, numberOf, textOf, wireOf, type Wire } from './wire.ts';

const SHOWN: Readonly<Record<string, 'text' | 'reasoning'>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'text',
  'response.reasoning_text.delta': 'reasoning',
  'response.reasoning_summary_text.delta': 'reasoning',
};

const CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

/** Deltas of a call's input. */
const INPUTS: ReadonlySet<unknown> = new Set([
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
]);

/** An answer of the Responses API: its messages are the output items. */
export class ResponsesAnswer implements Answer {
  readonly #stream = createAccumulator<readonly Wire[]>('openai-responses');
  readonly #calls = new Map<unknown, Wire>();
  #response: Wire | undefined;

  push(event: unknown): readonly ModelEvent[] {
    const wire = wireOf(event);
    const { type, item, response, output_index: index, delta } = wire;
    if (type === 'error') throw refused(wire);
    if (type === 'response.failed') throw refused(wireOf(wireOf(response)['error']));
    this.#stream.push(event);
    if (type === 'response.completed' || type === 'response.incomplete') this.#response = wireOf(response);
    if (type === 'response.output_item.added' && CALLS.has(wireOf(item)['type'])) {
      this.#calls.set(index, wireOf(item));
      return [callOf(wireOf(item), '')];
    }
    if (INPUTS.has(type)) return [callOf(this.#calls.get(index) ?? {}, textOf(delta))];
    const kind = SHOWN[textOf(type)];
    return kind === undefined || textOf(delta) === '' ? [] : [{ kind, text: textOf(delta) }];
  }

  take(response: unknown): readonly ModelEvent[] {
    const wire = wireOf(response);
    if (wire['status'] === 'failed') throw refused(wireOf(wire['error']));
    if (!Array.isArray(wire['output'])) throw new Malformed('the answer has no output');
    this.#response = wire;
    this.#stream.push({ type: 'response.completed', response });
    return listOf(wire['output']).flatMap((item) => shownOf(wireOf(item)));
  }

  end(): End | undefined {
    if (this.#response === undefined) return undefined;
    const messages = this.partial();
    const { id, model, usage } = this.#response;
    const { input_tokens: input, output_tokens: output } = wireOf(usage);
    return {
      kind: 'end',
      messages,
      stop: stopOf(this.#response, messages.map(wireOf)),
      ...(typeof usage === 'object' && { usage: { input: numberOf(input), output: numberOf(output) } }),
      ...(typeof id === 'string' && { responseId: id }),
      ...(typeof model === 'string' && { responseModel: model }),
    };
  }

  partial(): readonly unknown[] {
    return this.#stream.partial() ?? [];
  }
}

function stopOf({ incomplete_details: details }: Wire, items: readonly Wire[]): Stop {
  const { reason } = wireOf(details);
  if (typeof reason === 'string') return reason === 'content_filter' ? 'refusal' : 'length';
  if (items.some(({ type }) => CALLS.has(type))) return 'calls';
  const parts = items.flatMap(({ content }) => listOf(content));
  return parts.some((part) => wireOf(part)['type'] === 'refusal') ? 'refusal' : 'end';
}

function refused(error: Wire): Refused {
  const words = textOf(error['message']) || 'the response failed';
  return new Refused(words, { text: JSON.stringify(error) });
}

function callOf({ call_id: id, name }: Wire, fragment: string): ModelEvent {
  return { kind: 'call', callId: textOf(id), tool: textOf(name), fragment };
}

function shownOf(item: Wire): readonly ModelEvent[] {
  const { type, content, summary } = item;
  if (CALLS.has(type)) return [callOf(item, textOf(item['arguments'] ?? item['input']))];
  const kind = type === 'reasoning' ? 'reasoning' : 'text';
  const parts = [...listOf(summary), ...listOf(content)].map(wireOf);
  return parts.flatMap(({ text, refusal }) => {
    const words = textOf(text) + textOf(refusal);
    return words === '' ? [] : [{ kind, text: words }];
  });
}
