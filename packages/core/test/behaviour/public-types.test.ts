import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { publicTypes } from './public-types.ts';

test('the public types are those on record', () => {
  const recorded = readFileSync(new URL('public-types.txt', import.meta.url), 'utf8');
  expect(publicTypes(), 'after a change that is meant: npm run behaviour -- --types').toBe(recorded);
});
