import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulePages } from './rule-pages.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'rules');

test('the pages of the rules are what the rules say; npm run pages writes them anew', () => {
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  expect(written).toEqual(rulePages());
});
