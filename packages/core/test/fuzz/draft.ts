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

/** A draft with nothing in it yet. */
export const startDraft = (dialect: Dialect, model?: string): Draft => ({
  dialect,
  messages: [],
  body: undefined,
  model,
  purpose: undefined,
  count: 0,
});

/** How a dialect writes what happens in a turn. */
export interface Turns {
  readonly user: (draft: Draft, random: Random) => Fields;
  readonly step: (draft: Draft, random: Random) => void;
  readonly answer: (draft: Draft, random: Random) => Fields;
  /** A request has at least one turn. */
  readonly asRequest: boolean;
  /** Some APIs refuse a request that ends with an answer. */
  readonly mayEndAnswered?: boolean;
}

/** Adds up to four turns of up to two steps. */
export function addTurns(draft: Draft, random: Random, turns: Turns): void {
  const { user, step, answer, asRequest, mayEndAnswered = !asRequest } = turns;
  const count = random.between(asRequest ? 1 : 0, 4);
  for (let turn = 0; turn < count; turn += 1) {
    draft.messages.push(user(draft, random));
    for (let steps = random.pick([0, 0, 1, 1, 2]); steps > 0; steps -= 1) step(draft, random);
    if (turn < count - 1 || (mayEndAnswered && random.chance(2))) draft.messages.push(answer(draft, random));
  }
}

/** Changes the draft in place, and returns false if the draft has no place for the defect. */
export type Plant = (draft: Draft, random: Random) => boolean;

/** One named way in which histories go wrong (or look wrong and are legal). */
export interface Defect {
  readonly name: string;
  readonly breaks: Breaks;
  readonly plant: Plant;
}

/** Defects by what they do to a healthy history, and by name. */
export const defectsIn = (table: Partial<Record<Breaks, Readonly<Record<string, Plant>>>>): Defect[] =>
  Object.entries(table).flatMap(([breaks, plants]) =>
    Object.entries(plants).map(([name, plant]) => ({ name, breaks: breaks as Breaks, plant })),
  );

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

/** Picks one of the given, or undefined when there is none. */
export const anyOf = <T>(random: Random, from: readonly T[]): T | undefined =>
  from.length === 0 ? undefined : from[random.below(from.length)];

/** A change of one place, which returns false if the place does not suit it. */
export type Change<Spot> = (spot: Spot, draft: Draft, random: Random) => boolean | void;

/** Changes one of the places that a search finds. */
export const onOne =
  <Spot>(find: (draft: Draft) => readonly Spot[], change: Change<Spot>): Plant =>
  (draft, random) => {
    const spot = anyOf(random, find(draft));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

export type Make = (draft: Draft, random: Random) => unknown;

/** Inserts a message at one of the places that are free for it. */
export const insertingAt =
  (free: (draft: Draft) => readonly number[], make: Make): Plant =>
  (draft, random) => {
    const at = anyOf(random, free(draft));
    if (at !== undefined) draft.messages.splice(at, 0, structuredClone(make(draft, random)));
    return at !== undefined;
  };

/** Every place for a message, the end included. */
export const gapsOf = (draft: Draft): number[] => [...draft.messages.keys(), draft.messages.length];

/** Inserts a message anywhere but in front. */
export const inserting = (make: Make): Plant =>
  insertingAt((draft) => (draft.messages.length === 0 ? [0] : gapsOf(draft).slice(1)), make);

/** Values that are no message in any dialect. */
export const wrongMessages: readonly unknown[] = [null, undefined, 'text', 7, [], {}, true];

/** A text that was cut inside a character. */
export const cutText = (draft: Draft, random: Random): string =>
  freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`);

export const emptied: Plant = (draft) => {
  draft.messages = [];
  return true;
};

/** Stands for a field that is not there. */
export const GONE = Symbol('gone');

/** A change that gives a field of the spot one of these values. */
export const set =
  (key: string, ...values: readonly unknown[]): Change<{ readonly fields: Fields }> =>
  ({ fields }, _draft, random) => {
    const value = random.pick(values);
    if (value === GONE) delete fields[key];
    else fields[key] = structuredClone(value);
  };
