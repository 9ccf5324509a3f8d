/** Numbers from 0 up to 1 that depend on the seed alone. */
export type Chance = () => number;

/** The same numbers for the same seeds, on every machine. */
export function chance(...seeds: readonly (number | string)[]): Chance {
  let state = 0x811c9dc5;
  for (const character of seeds.join('/')) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these. */
export function pick<T>(from: readonly [T, ...T[]], next: Chance): T {
  return from[Math.floor(next() * from.length)] ?? from[0];
}
