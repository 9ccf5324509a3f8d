import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the rules, and of the files with their examples. */
export const rulesFolder = join(import.meta.dirname, '..', 'packages', 'core', 'src', 'rules');

/** The table of all files of examples: `examples.ts` beside the rules. */
export function examplesTable(folder: string): string {
  const ids = readdirSync(folder)
    .flatMap((name) => /^(.*)\.examples\.ts$/.exec(name)?.[1] ?? [])
    .sort();
  const nameOf = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '// Written by `npm run pages`: one row for each file of examples in this folder.',
    "import type { Example } from '../model/rule.ts';",
    ...ids.map((id) => `import { examples as ${nameOf(id)} } from './${id}.examples.ts';`),
    '',
    '/** The examples of each rule, by its id. */',
    'export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {',
    ...ids.map((id) => (nameOf(id) === id ? `  ${id},` : `  '${id}': ${nameOf(id)},`)),
    '};',
    '',
  ].join('\n');
}
