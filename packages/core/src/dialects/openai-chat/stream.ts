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
} from '../accumulator.ts';

/** Reasons to stop after which a call is whole even where its arguments are no JSON. */
const CALLED: ReadonlySet<unknown> = new Set(['tool_calls', 'stop', 'function_call']);

/** Puts the chunks of a chat completion together; of several answers the first counts. */
export class OpenaiChat implements Accumulator {
  readonly #calls = new Map<number, readonly Wire[]>();
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
    const begun = this.#calls.get(index) ?? [];
    const last = begun.at(-1);
    const grows = last !== undefined && !isAnother(last, delta);
    const grown = joinedCall(grows ? last : { type: 'function' }, delta);
    this.#calls.set(index, [...(grows ? begun.slice(0, -1) : begun), grown]);
  }

  #pieces(): Piece[] {
    const called = CALLED.has(this.#finish);
    const calls = [...this.#calls].sort(([a], [b]) => a - b).flatMap(([, wires]) => wires);
    return calls.map((wire) => ({ wire, whole: isWhole(wire, called) }));
  }
}

/** Some hosts give every call the same index: behind one that is whole comes another, with an id of its own. */
function isAnother(before: Wire, { id }: Wire): boolean {
  return typeof id === 'string' && id !== '' && id !== before['id'] && isWhole(before, false);
}

/** What comes in pieces of an object. */
const IN_PIECES: ReadonlySet<string> = new Set(['function_call', 'audio']);

/** Texts grow, lists grow, and of anything else the last counts. */
function joined(before: Wire, delta: Wire): Wire {
  const after = { ...before };
  for (const [key, value] of Object.entries(delta)) {
    const there = before[key];
    if (value === null || value === undefined) after[key] = there ?? null;
    else if (typeof value === 'string')
      after[key] = Array.isArray(there) ? withText(there, value) : textOf(there) + value;
    else if (Array.isArray(value)) after[key] = [...withText(listOf(there), textOf(there)), ...(value as unknown[])];
    else after[key] = IN_PIECES.has(key) && isWire(value) ? joinedNames(there, value) : value;
  }
  return after;
}

/** A list of pieces with a text behind them: some hosts send both. */
function withText(pieces: readonly unknown[], text: string): readonly unknown[] {
  if (text === '') return pieces;
  const last = pieces.at(-1);
  if (!isWire(last) || last['type'] !== 'text') return [...pieces, { type: 'text', text }];
  return [...pieces.slice(0, -1), { ...last, text: textOf(last['text']) + text }];
}

const GROWING: ReadonlySet<string> = new Set(['arguments', 'input', 'data', 'transcript']);

/** Names come whole, and some hosts send them again with every piece; what a call is given comes in pieces. */
function joinedNames(before: unknown, delta: Wire): Wire {
  const after: Wire = isWire(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(delta)) {
    if (GROWING.has(key) && typeof value === 'string') after[key] = textOf(after[key]) + value;
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
