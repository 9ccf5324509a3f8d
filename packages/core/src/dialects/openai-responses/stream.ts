import {
  allOf,
  halfOf,
  isWire,
  listOf,
  textOf,
  wholeOf,
  withEntry,
  type Accumulator,
  type Piece,
  type Wire,
} from '../accumulator.ts';

type Entry = { readonly wire: Wire; readonly done: boolean };

/** Which list of an entry a delta belongs to, at which index, and under which key and type its text grows. */
type Growth = readonly [list: 'content' | 'summary', index: string, key: string, type: string];

const GROWTHS: Readonly<Record<string, Growth>> = {
  'response.output_text.delta': ['content', 'content_index', 'text', 'output_text'],
  'response.refusal.delta': ['content', 'content_index', 'refusal', 'refusal'],
  'response.reasoning_text.delta': ['content', 'content_index', 'text', 'reasoning_text'],
  'response.reasoning_summary_text.delta': ['summary', 'summary_index', 'text', 'summary_text'],
};

/** The key of a call under which what it is given grows. */
const INPUTS: Readonly<Record<string, string>> = {
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
};

/** Puts the events of a Responses stream together: its message is a list, as long as the answer has entries. */
export class OpenaiResponses implements Accumulator<readonly Wire[]> {
  readonly #entries = new Map<number, Entry>();
  #complete = false;

  get complete(): boolean {
    return this.#complete;
  }

  push(event: unknown): void {
    if (!isWire(event)) return;
    const { type, output_index: index, item, response } = event;
    if (type === 'response.completed' || type === 'response.incomplete') {
      this.#complete = true;
      if (isWire(response)) this.#close(listOf(response['output']));
    } else if (typeof index === 'number') {
      const done = type === 'response.output_item.done';
      if (isWire(item)) this.#entries.set(index, { wire: { ...item }, done });
      else this.#grow(index, event);
    }
  }

  message(): readonly Wire[] | undefined {
    return this.#listOf(wholeOf(this.#pieces()));
  }

  partial(): readonly Wire[] | undefined {
    return this.#listOf(allOf(this.#pieces().filter(({ wire, whole }) => whole || isCall(wire))));
  }

  #listOf(entries: readonly Wire[]): readonly Wire[] | undefined {
    if (entries.length === 0) return undefined;
    return this.#complete || entries.some(isSealed) ? entries : entries.map(byValue);
  }

  unfinished(): readonly Wire[] {
    return halfOf(this.#pieces());
  }

  /** What the provider says at the end is the answer, however the pieces came. */
  #close(output: readonly unknown[]): void {
    for (const [index, item] of output.entries())
      if (isWire(item)) this.#entries.set(index, { wire: item, done: true });
  }

  #grow(index: number, event: Wire): void {
    const entry = this.#entries.get(index);
    const growth = GROWTHS[String(event['type'])];
    const input = INPUTS[String(event['type'])];
    if (entry === undefined || entry.done) return;
    const { wire } = entry;
    if (growth !== undefined) {
      const [list, place, key, type] = growth;
      const there = listOf(wire[list])[Number(event[place])];
      const part = isWire(there) ? there : { type, [key]: '' };
      const grown = { ...part, [key]: textOf(part[key]) + textOf(event['delta']) };
      this.#entries.set(index, { done: false, wire: { ...wire, [list]: withEntry(wire[list], event[place], grown) } });
    } else if (input !== undefined) {
      const grown = { ...wire, [input]: textOf(wire[input]) + textOf(event['delta']) };
      this.#entries.set(index, { done: false, wire: grown });
    } else if (isWire(event['part'])) {
      const [list, place] =
        'summary_index' in event ? (['summary', 'summary_index'] as const) : (['content', 'content_index'] as const);
      const parts = withEntry(wire[list], event[place], event['part']);
      this.#entries.set(index, { done: false, wire: { ...wire, [list]: parts } });
    }
  }

  #pieces(): Piece[] {
    const entries = [...this.#entries].sort(([a], [b]) => a - b);
    return entries.map(([, entry]) => pieceOf(entry));
  }
}

function pieceOf({ wire, done }: Entry): Piece {
  const { type, status } = wire;
  if (type === 'message')
    return { wire: done ? wire : { ...wire, status: 'incomplete' }, whole: hasText(wire['content']) };
  if (type === 'reasoning') return { wire, whole: done || hasText(wire['summary']) || hasText(wire['content']) };
  const whole = done && status !== 'incomplete' && status !== 'in_progress';
  return { wire: whole || !isCall(wire) ? wire : { ...wire, status: 'incomplete' }, whole };
}

function isCall({ type, call_id: id }: Wire): boolean {
  return (type === 'function_call' || type === 'custom_tool_call') && typeof id === 'string';
}

function isSealed({ encrypted_content: seal }: Wire): boolean {
  return typeof seal === 'string';
}

/** A provider may know nothing of an answer that was never finished, so its ids would be looked up in vain. */
function byValue({ id, ...wire }: Wire): Wire {
  return wire['type'] === 'reasoning' ? { id, ...wire } : wire;
}

function hasText(parts: unknown): boolean {
  return listOf(parts).some((part) => isWire(part) && (textOf(part['text']) !== '' || textOf(part['refusal']) !== ''));
}
