import assert from 'node:assert/strict';

/** A source of numbers that one seed replays in any process: no clock and no global randomness. */
export interface Random {
  readonly seed: number;
  /** The next number, in [0, 1). */
  next(): number;
  /** A whole number from 0 up to and excluding `limit`. */
  below(limit: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True once in `oneIn` times. */
  chance(oneIn: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Starts a source at a seed (the splitmix32 sequence: short, well mixed, and the same everywhere). */
export function startRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (oneIn) => below(oneIn) === 0,
    pick: <T>(from: readonly T[]): T => {
      assert(from.length > 0, 'there is something to pick from');
      return from[below(from.length)] as T;
    },
  };
}

/** The seed of the n-th history of a run, far enough apart that neighbouring runs share none. */
export function seedAt(seed: number, index: number): number {
  return (Math.imul(seed, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
}
