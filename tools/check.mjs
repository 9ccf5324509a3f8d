import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { isMain, root } from './node.mjs';
import { runNode } from './run.mjs';
import { setUp } from './setup.mjs';

// Without explicit folders oxlint walks node_modules too.
const folders = ['core', 'simulator', 'store', 'agent', 'adapters', 'formats', 'server', 'inspector', 'cli'].flatMap(
  (name) => [`packages/${name}/src`, `packages/${name}/test`],
);
const linted = [...folders, 'tools', 'bench'].filter((folder) => existsSync(join(root, folder)));
const configs = ['vitest.config.ts'];

/** @typedef {readonly [name: string, ...command: string[]]} Step */

/** @type {readonly Step[]} */
const tools = [
  ['types', 'node_modules/typescript/bin/tsc', '-b'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...linted, ...configs],
  ['format', 'node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ['unused code', 'node_modules/knip/bin/knip.js'],
];

/** @type {Step} */
const house = [
  'import edges and tidy',
  'node_modules/vitest/vitest.mjs',
  'run',
  'tools/edges.test.ts',
  'tools/tidy.test.ts',
];

/**
 * Runs the checks one after the other, all of them even when one fails, and counts.
 *
 * @param {readonly Step[]} steps
 */
const runSteps = async (steps) => {
  const failures = [];
  for (const [name, ...command] of steps) {
    process.stdout.write(`check: ${name}\n`);
    if ((await runNode(command)) !== 0) failures.push(name);
  }
  for (const name of failures) process.stdout.write(`check failed: ${name}\n`);
  return { passed: steps.length - failures.length, failed: failures.length };
};

/** The checks that are not tests; import edges and tidiness are tests and come with the others. */
export const check = () => runSteps(tools);

if (isMain(import.meta.url)) {
  const ready = await setUp();
  const { failed } = ready === 0 ? await runSteps([...tools, house]) : { failed: 1 };
  process.exitCode = failed === 0 ? 0 : 1;
}
