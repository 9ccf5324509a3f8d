import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examplesTable, rulesFolder } from './examples-table.ts';
import { rulePages } from './rule-pages.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'rules');

test('the pages of the rules are what the rules say; npm run pages writes them anew', () => {
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  expect(written).toEqual(rulePages());
});

test('the table of examples has a row for each file of examples; npm run pages writes it anew', () => {
  expect(readFileSync(join(rulesFolder, 'examples.ts'), 'utf8')).toBe(examplesTable(rulesFolder));
});
