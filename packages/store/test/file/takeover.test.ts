import { expect, test } from 'vitest';

import { startWorld, violation, type World, worldsBehind } from './model/takeover.ts';

/** Tries every order of steps; returns the number of worlds or the first wrong one. */
function explore(start: World, groups: number): number | string {
  const known = new Set<string>([JSON.stringify(start)]);
  const left: World[] = [start];
  for (let world = left.pop(); world !== undefined; world = left.pop()) {
    const wrong = violation(world);
    if (wrong !== undefined) return `${wrong}: ${JSON.stringify(world)}`;
    for (const next of worldsBehind(world, groups)) {
      const key = JSON.stringify(next);
      if (known.has(key)) continue;
      known.add(key);
      left.push(next);
    }
  }
  return known.size;
}

const minute = 60_000;

test.each([
  { kinds: ['owner', 'taker'] as const, groups: 3, tears: 2 },
  { kinds: ['owner', 'taker', 'sweeper'] as const, groups: 2, tears: 1 },
  { kinds: ['owner', 'taker', 'passer'] as const, groups: 2, tears: 0 },
  { kinds: ['owner', 'taker', 'taker'] as const, groups: 2, tears: 0 },
])(
  'whatever $kinds do in any order, all agree on what counts ($groups groups, $tears torn)',
  ({ kinds, tears, groups }) => {
    const worlds = explore(startWorld(kinds, tears), groups);
    console.log(`${kinds.join(', ')}: ${worlds} worlds`);
    expect(worlds).toBeGreaterThan(10_000);
  },
  3 * minute,
);
