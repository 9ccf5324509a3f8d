import type { Dialect } from '../../src/index.ts';
import type { Random } from './random.ts';

export type Fields = Record<string, unknown>;

/** A history that is still being put together: plain fresh objects, free to be broken in place. */
export interface Draft {
  readonly dialect: Dialect;
  /** The values of the list; defects may put things here that are no messages at all. */
  messages: unknown[];
  /** Fields of the whole request around the list, or undefined for a bare list. */
  body: Fields | undefined;
  model: string | undefined;
  purpose: 'history' | 'request' | undefined;
  /** Counts texts and ids, so that no two generated contents are equal by accident. */
  count: number;
}

/** What planting a defect alone in a healthy history does to it: refused by the contract, or not. */
export type Breaks = 'always' | 'sometimes' | 'never';

/** One named way in which histories go wrong (or look wrong and are legal). */
export interface Defect {
  readonly name: string;
  readonly breaks: Breaks;
  /** Changes the draft in place, and says false when the draft has no place for this defect. */
  plant(draft: Draft, random: Random): boolean;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that occurs once in the whole draft. */
export const freshText = (draft: Draft, word: string): string => `${word} ${(draft.count += 1)}`;

/** The next call id of the draft. */
export const freshId = (draft: Draft, prefix: string): string => `${prefix}${(draft.count += 1)}`;

export interface Placed {
  readonly index: number;
  readonly message: Fields;
}

/** The messages that pass a test, with their places. */
export function placesOf(draft: Draft, test: (message: Fields) => boolean): Placed[] {
  const places: Placed[] = [];
  for (const [index, message] of draft.messages.entries()) {
    if (isFields(message) && test(message)) places.push({ index, message });
  }
  return places;
}

/** The list a message holds under a key, or an empty one. */
export function listOf(message: Fields | undefined, key: string): unknown[] {
  const value = message?.[key];
  return Array.isArray(value) ? value : [];
}

/** Inserts a message at a random place (`from` keeps it away from the start). */
export function insertAnywhere(draft: Draft, random: Random, message: unknown): void {
  draft.messages.splice(random.between(Math.min(1, draft.messages.length), draft.messages.length), 0, message);
}

/** Picks one of the given, or undefined when there is none. */
export const anyOf = <T>(random: Random, from: readonly T[]): T | undefined =>
  from.length === 0 ? undefined : from[random.below(from.length)];
