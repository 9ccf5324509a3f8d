import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesTable, rulesFolder } from './examples-table.ts';

writeFileSync(join(rulesFolder, 'examples.ts'), examplesTable(rulesFolder));
// Loaded only now: the pages are made from the table that has just been written.
const { writeRulePages } = await import('./rule-pages.ts');
writeRulePages(join(import.meta.dirname, '..', 'docs', 'rules'));
const { manual, manualPath } = await import('./manual.ts');
writeFileSync(manualPath, manual());
