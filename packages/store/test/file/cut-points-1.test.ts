import { expect, test } from 'vitest';

import { cutEverywhere } from './torture/cuts.ts';
import type { Tally } from './torture/world.ts';

// Half of the cut points. The other half is in the next file, so that both cores are used.
test('a log cut at any byte has every complete batch before the cut and accepts the next one', async () => {
  const tally: Tally = {};
  await cutEverywhere(50_000, tally, 1);
  expect((tally['cut points, torn'] ?? 0) + (tally['cut points, whole'] ?? 0)).toBe(50_000);
}, 900_000);
