/** JSON as a provider's stream carries it. */
export type Wire = Record<string, unknown>;

/** Puts the events of one answer together, so that there is something to store at any moment. */
export type Accumulator<M = Wire> = {
  /** Takes one event as the SDK yields it; what is no event of this stream is passed over. */
  push(event: unknown): void;
  /** What has come so far, in a form that can be stored; undefined while there is nothing worth storing. */
  message(): M | undefined;
  /** What had begun when the last event came and is not in the message: a half call, which nobody has run. */
  unfinished(): readonly Wire[];
  /** The message with half calls in their places, their input as the text that came: all that was shown. */
  partial(): M | undefined;
  /** Whether the provider has said that the answer is over. */
  readonly complete: boolean;
};

/** A part of an answer as far as it has come; `whole` decides whether it is stored. */
export type Piece = { readonly wire: Wire; readonly whole: boolean };

export function allOf(pieces: readonly Piece[]): Wire[] {
  return pieces.map(({ wire }) => wire);
}

export function wholeOf(pieces: readonly Piece[]): Wire[] {
  return pieces.filter(({ whole }) => whole).map(({ wire }) => wire);
}

export function halfOf(pieces: readonly Piece[]): Wire[] {
  return pieces.filter(({ whole }) => !whole).map(({ wire }) => wire);
}

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value that a text holds as JSON; undefined when the text is cut off. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy of a list with one entry set, whatever was or was not there. */
export function withEntry(list: unknown, index: unknown, entry: unknown): unknown[] {
  const copy = [...listOf(list)];
  copy[typeof index === 'number' && index >= 0 && index <= copy.length ? index : copy.length] = entry;
  return copy;
}
