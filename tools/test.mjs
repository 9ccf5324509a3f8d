import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { check } from './check.mjs';
import { cache } from './node.mjs';
import { runNode } from './run.mjs';
import { setUp } from './setup.mjs';

const args = process.argv.slice(2);

const longer = ['packages/core/test/properties/**', 'packages/core/test/against/**'];
const examples = ['packages/core/test/*.test.ts', 'packages/core/test/!(properties|against)/**'];

// Counting what is covered slows everything down, and the examples of the core alone have to cover it.
const parts = [
  ['packages/core/test/', '--coverage', ...longer.flatMap((each) => ['--exclude', each])],
  examples.flatMap((each) => ['--exclude', each]),
];
const reporters = ['--reporter=default', '--reporter=./tools/tally-reporter.ts'];

/** @returns {{ passed: number, failed: number, skipped: number }} */
const readTally = (/** @type {string} */ path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
};

const runTests = async (/** @type {string[]} */ options) => {
  const path = join(cache, `tally-${process.pid}.json`);
  // The tests start some thousand programs; what has been compiled once need not be again, unless lines are counted.
  const compiled = options.includes('--coverage') ? {} : { NODE_COMPILE_CACHE: join(cache, 'compiled') };
  const env = { ...process.env, ...compiled, RETHREAD_TALLY: path };
  const code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...options], { env });
  const tally = readTally(path);
  rmSync(path, { force: true });
  // Coverage below its threshold, or a run that broke off, fails without a failing test.
  const unseen = code !== 0 && tally.failed === 0 ? 1 : 0;
  return { ...tally, failed: tally.failed + unseen };
};

const runAll = async () => {
  if ((await setUp()) !== 0) return { passed: 0, failed: 1, skipped: 0 };
  const total = { skipped: 0, ...(await check()) };
  for (const part of args.length > 0 ? [args] : parts) {
    const { passed, failed, skipped } = await runTests(part);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
};

const { passed, failed, skipped } = await runAll();
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
