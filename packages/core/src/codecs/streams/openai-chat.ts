import {
  halfOf,
  isWire,
  listOf,
  parsed,
  textOf,
  wholeOf,
  type Accumulator,
  type Piece,
  type Wire,
} from './accumulator.ts';

/** Reasons to stop after which a call is whole even where its arguments are no JSON. */
const CALLED: ReadonlySet<unknown> = new Set(['tool_calls', 'stop', 'function_call']);

/** Puts the chunks of a chat completion together; of several answers the first counts. */
export class OpenaiChat implements Accumulator {
  readonly #calls = new Map<number, Wire>();
  #fields: Wire = {};
  #finish: unknown;

  get complete(): boolean {
    return typeof this.#finish === 'string';
  }

  push(chunk: unknown): void {
    const choices = isWire(chunk) ? listOf(chunk['choices']) : [];
    const choice = choices.find((each) => isWire(each) && (each['index'] ?? 0) === 0);
    if (!isWire(choice)) return;
    if (typeof choice['finish_reason'] === 'string') this.#finish = choice['finish_reason'];
    const { delta } = choice;
    if (!isWire(delta)) return;
    const { tool_calls: calls, role: _role, ...fields } = delta;
    for (const [place, call] of listOf(calls).entries()) if (isWire(call)) this.#addCall(call, place);
    this.#fields = joined(this.#fields, fields);
  }

  message(): Wire | undefined {
    return this.#messageWith(wholeOf(this.#pieces()));
  }

  partial(): Wire | undefined {
    return this.#messageWith(this.#pieces().flatMap(({ wire }) => (isNamed(wire) ? [wire] : [])));
  }

  #messageWith(calls: readonly Wire[]): Wire | undefined {
    const { content, ...fields } = this.#fields;
    const silent = content === undefined || content === null || content === '';
    if (silent && calls.length === 0 && !Object.values(fields).some(isSaid)) return undefined;
    return {
      role: 'assistant',
      content: silent ? (calls.length === 0 ? '' : null) : content,
      ...fields,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  unfinished(): readonly Wire[] {
    return halfOf(this.#pieces());
  }

  #addCall(call: Wire, place: number): void {
    const index = typeof call['index'] === 'number' ? call['index'] : place;
    const { index: _index, ...delta } = call;
    this.#calls.set(index, joinedCall(this.#calls.get(index) ?? { type: 'function' }, delta));
  }

  #pieces(): Piece[] {
    const called = CALLED.has(this.#finish);
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, wire]) => wire);
    return calls.map((wire) => ({ wire, whole: isWhole(wire, called) }));
  }
}

/** Texts grow, lists grow, and of anything else the last counts. */
function joined(before: Wire, delta: Wire): Wire {
  const after = { ...before };
  for (const [key, value] of Object.entries(delta)) {
    const there = before[key];
    if (value === null || value === undefined) after[key] = there ?? null;
    else if (typeof value === 'string') after[key] = textOf(there) + value;
    else if (Array.isArray(value)) after[key] = [...listOf(there), ...(value as unknown[])];
    else after[key] = key === 'function_call' && isWire(value) ? joinedNames(there, value) : value;
  }
  return after;
}

/** Names come whole, and some hosts send them again with every piece; what a call is given comes in pieces. */
function joinedNames(before: unknown, delta: Wire): Wire {
  const after: Wire = isWire(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(delta)) {
    const grows = key === 'arguments' || key === 'input';
    if (grows && typeof value === 'string') after[key] = textOf(after[key]) + value;
    else if (value !== null && value !== undefined && value !== '') after[key] = value;
  }
  return after;
}

function joinedCall(before: Wire, { function: called, custom, ...delta }: Wire): Wire {
  return {
    ...joinedNames(before, delta),
    ...(isWire(called) && { function: joinedNames(before['function'], called) }),
    ...(isWire(custom) && { custom: joinedNames(before['custom'], custom) }),
  };
}

function isWhole(call: Wire, ended: boolean): boolean {
  const { function: called } = call;
  return isNamed(call) && (ended || (isWire(called) && isWire(parsed(textOf(called['arguments'])))));
}

function isNamed({ id, function: called, custom }: Wire): boolean {
  const spec = isWire(called) ? called : custom;
  return typeof id === 'string' && id !== '' && isWire(spec) && typeof spec['name'] === 'string';
}

function isSaid(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
