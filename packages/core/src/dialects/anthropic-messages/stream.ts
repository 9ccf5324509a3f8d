import {
  allOf,
  halfOf,
  isWire,
  listOf,
  parsed,
  textOf,
  wholeOf,
  type Accumulator,
  type Piece,
  type Wire,
} from '../accumulator.ts';

type Block = { wire: Wire; json: string; stopped: boolean };

/** Puts the events of a Messages stream together. */
export class AnthropicMessages implements Accumulator {
  readonly #blocks = new Map<number, Block>();
  #stopReason: unknown;
  #complete = false;

  get complete(): boolean {
    return this.#complete;
  }

  push(event: unknown): void {
    if (!isWire(event)) return;
    const { type, index, content_block: begun, delta } = event;
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    if (type === 'content_block_start' && typeof index === 'number' && isWire(begun)) {
      this.#blocks.set(index, { wire: { ...begun }, json: '', stopped: false });
    } else if (type === 'content_block_delta' && block !== undefined && isWire(delta)) {
      add(block, delta);
    } else if (type === 'content_block_stop' && block !== undefined) {
      block.stopped = true;
    } else if (type === 'message_delta' && isWire(delta)) {
      this.#stopReason = delta['stop_reason'];
    } else if (type === 'message_stop') {
      this.#complete = true;
    }
  }

  message(): Wire | undefined {
    return messageOf(wholeOf(this.#pieces()));
  }

  partial(): Wire | undefined {
    return messageOf(allOf(this.#pieces()));
  }

  unfinished(): readonly Wire[] {
    return halfOf(this.#pieces());
  }

  #pieces(): Piece[] {
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b);
    return blocks.flatMap(([, block]) => pieceOf(block, this.#stopReason === 'tool_use'));
  }
}

function messageOf(content: readonly Wire[]): Wire | undefined {
  return content.length === 0 ? undefined : { role: 'assistant', content };
}

/** Adds what a delta says to its block: kinds of delta that are new are added by the names of their fields. */
function add(block: Block, delta: Wire): void {
  for (const [key, value] of Object.entries(delta)) {
    const there = block.wire[key];
    if (key === 'type') continue;
    if (key === 'partial_json') block.json += textOf(value);
    else if (key === 'citation') block.wire['citations'] = [...listOf(block.wire['citations']), value];
    // A signature comes once and whole.
    else if (key !== 'signature' && typeof value === 'string') block.wire[key] = textOf(there) + value;
    else if (value !== undefined) block.wire[key] = value;
  }
}

function pieceOf({ wire, json, stopped }: Block, calling: boolean): Piece[] {
  const { type } = wire;
  // An empty block says nothing, and providers refuse it.
  if (type === 'text') return wire['text'] === '' ? [] : [{ wire: { ...wire }, whole: true }];
  if (type === 'thinking') return wire['thinking'] === '' && !stopped ? [] : [{ wire: { ...wire }, whole: true }];
  if (json === '' && (stopped || !Object.hasOwn(wire, 'input'))) return [{ wire: { ...wire }, whole: stopped }];
  const input = parsed(json);
  // A model that ends its calls with text that is no JSON has said so; a stream that ends there was cut.
  const whole = stopped && (input !== undefined || calling);
  // Of a half call the text is kept even where it happens to be JSON: nobody can take it for one that may run.
  return [{ wire: { ...wire, input: whole ? (input ?? json) : json }, whole }];
}
