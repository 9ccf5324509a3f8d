import { cutsBetween, firstFrom, lastUpTo, turnSpans, type TurnKind, type TurnSpan } from './compaction/cuts.ts';
import { outline } from './compaction/outline.ts';
import { openInput } from './open-input.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

/** What a person, a summary or a program began, with everything up to the next such words. */
export type Turn = TurnSpan & { readonly messages: readonly unknown[] };

export type { TurnKind };

/** One page of a list; nothing is left out between it and the next. */
export type Page<T> = {
  readonly messages: T;
  /** What to give as `after` for the next page; undefined on the last. */
  readonly next: number | undefined;
  readonly hasMore: boolean;
};

/** A message: its index, itself, or the first that fits, such as the first after a time. */
export type Which = number | object | ((message: unknown, index: number) => boolean);

type Sliced<T> = {
  /** The messages as whoever holds them has them. */
  readonly list: readonly unknown[];
  readonly spans: readonly TurnSpan[];
  readonly cuts: readonly number[];
  /** The part of the list between two places, in the form that the whole has. */
  readonly slice: (from: number, to: number) => T;
};

/**
 * The turns of a list, which together are the whole list. None where the dialect cannot be told.
 *
 * @example
 * for (const { kind, messages } of turns(history)) console.log(kind, messages.length);
 */
export function turns(input: unknown, target?: TargetInput): readonly Turn[] {
  const { spans, list } = open(input, target);
  return spans.map((span) => ({ ...span, messages: list.slice(span.from, span.to) }));
}

/**
 * Every index at which a list may be divided: no pair, batch or sealed run of reasoning lies across it.
 *
 * @example
 * const places = cuts(messages); // [0, 4, 9]
 */
export function cuts(input: unknown, target?: TargetInput): readonly number[] {
  return open(input, target).cuts;
}

export type SplitOptions = {
  /** How many messages the tail has at least (default: 4). */
  readonly minKeepTail?: number | undefined;
  /** Where the history goes (default: detected). */
  readonly target?: TargetInput | undefined;
};

/** About one short turn. */
const KEEP_TAIL = 4;

/**
 * Divides a list at a cut so that the tail has at least `minKeepTail` messages, 4 unless told otherwise; it may have
 * more. A number alone is `minKeepTail`. A list that is one unbroken turn has no head.
 *
 * @example
 * const { head, tail } = splitHead(messages, 6);
 */
export function splitHead<T>(input: T, options?: number | SplitOptions): { readonly head: T; readonly tail: T } {
  const split = typeof options === 'number' ? { minKeepTail: options } : (options ?? {});
  const { minKeepTail = KEEP_TAIL, target }: SplitOptions = split;
  const { list, cuts: places, slice } = open(input, target);
  const cut = lastUpTo(places, list.length - atLeast(minKeepTail), 0);
  return { head: slice(0, cut), tail: slice(cut, list.length) };
}

/**
 * The last `k` turns of a person and everything after their start; all of the list where it has no more.
 *
 * @example
 * const recent = lastTurns(messages, 2);
 */
export function lastTurns<T>(input: T, k: number, target?: TargetInput): T {
  const { list, spans, slice } = open(input, target);
  const wanted = atLeast(k);
  if (wanted === 0) return slice(list.length, list.length);
  const spoken = spans.filter(({ kind }) => kind === 'user');
  const first = spoken.length > wanted ? spoken[spoken.length - wanted] : undefined;
  return slice(first?.from ?? 0, list.length);
}

/**
 * Everything from turn `n` on, counted as `turns` counts them; nothing where there are not so many.
 *
 * @example
 * const withoutFirstTurn = fromTurn(messages, 1);
 */
export function fromTurn<T>(input: T, n: number, target?: TargetInput): T {
  const { list, spans, slice } = open(input, target);
  const index = atLeast(n);
  return slice(index === 0 ? 0 : (spans[index]?.from ?? list.length), list.length);
}

/**
 * The next page of a list, from a cut up to the first cut that makes it at least `minMessages` long. An `after` that is
 * no cut is taken back to the one before it, so that nothing is passed over.
 *
 * @example
 * const first = page(messages, { minMessages: 20 });
 * const second = page(messages, { after: first.next, minMessages: 20 });
 */
export function page<T>(
  input: T,
  {
    after = 0,
    minMessages,
    target,
  }: { readonly after?: number | undefined; readonly minMessages: number; readonly target?: TargetInput | undefined },
): Page<T> {
  const { list, cuts: places, slice } = open(input, target);
  const from = after >= list.length ? list.length : lastUpTo(places, after, 0);
  const to = firstFrom(places, from + Math.max(1, atLeast(minMessages)), list.length);
  const hasMore = to < list.length;
  return { messages: slice(from, to), next: hasMore ? to : undefined, hasMore };
}

/**
 * Everything before the turn that a message is in; the whole list where there is no such message.
 *
 * @example
 * const earlier = before(messages, 12);
 */
export function before<T>(input: T, message: Which, target?: TargetInput): T {
  const { list, cuts: places, slice } = open(input, target);
  const index = find(list, message);
  return slice(0, index >= list.length ? list.length : lastUpTo(places, index, 0));
}

function find(list: readonly unknown[], message: Which): number {
  if (typeof message === 'number') return Math.max(0, message);
  const index = typeof message === 'function' ? list.findIndex((wire, at) => message(wire, at)) : list.indexOf(message);
  return index < 0 ? list.length : index;
}

/** What is meant by "at least so many" where it is no count at all: as many as there are. */
function atLeast(count: number): number {
  return Number.isNaN(count) ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(count));
}

function open<T>(input: T, target: TargetInput | undefined): Sliced<T> {
  // What throws when it is looked at cannot be told from what is in no dialect.
  const held = ask((given: T) => openInput(given, target), input);
  if (held === undefined) return openUnknown(input);
  const { list, profile } = held;
  const noted = outline(list, held);
  const spans = turnSpans(noted);
  const slice = (from: number, to: number): T => held.withList(isWhole(list, from, to) ? list : list.slice(from, to));
  return { list: held.items, spans, cuts: cutsBetween(noted, spans, profile), slice };
}

/** A list in no known dialect has no place at which it may be divided; what is no list comes back as it is. */
function openUnknown<T>(input: T): Sliced<T> {
  const list = ask(readList, input);
  const slice = (from: number, to: number): T =>
    list === undefined || isWhole(list, from, to) ? input : (list.slice(from, to) as T);
  return { list: list ?? [], spans: [], cuts: [], slice };
}

/** A list that can be read to its end. */
function readList(input: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  for (let i = 0; i < input.length; i += 1) void input[i];
  return input;
}

function isWhole(list: readonly unknown[], from: number, to: number): boolean {
  return from === 0 && to >= list.length;
}
