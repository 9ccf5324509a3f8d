import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './node.mjs';
import { runNode } from './run.mjs';

/** What `--driver` tortures. Without an option, it is the core, with every short history. */
const drivers = new Map([
  ['file', 'packages/store/test/file/torture/main.ts'],
  ['sqlite', 'packages/store/test/sqlite/torture-main.ts'],
  ['postgres', 'packages/store/test/postgres/torture-main.ts'],
]);

const agent = 'packages/agent/test/kills/torture-main.ts';
const frameworks = 'packages/adapters/test/kills/torture-main.ts';
const fromSource = './packages/agent/test/from-source.ts';

/** @param {readonly string[]} args */
const driverOf = (args) => {
  const at = args.findIndex((arg) => arg === '--driver' || arg.startsWith('--driver='));
  if (at < 0) return undefined;
  return args[at]?.includes('=') === true ? args[at].slice('--driver='.length) : (args[at + 1] ?? '');
};

/** @param {readonly string[]} args */
const torture = async (args) => {
  if (args.includes('--agent')) return runNode(['--import', fromSource, agent, ...args]);
  if (args.includes('--frameworks')) return runNode(['--import', fromSource, frameworks, ...args]);
  const driver = driverOf(args);
  if (driver === undefined) return runNode(['packages/core/test/fuzz/main.ts', '--exhaustive', ...args]);
  const file = drivers.get(driver);
  if (file !== undefined && existsSync(join(root, file))) return runNode([file, ...args]);
  process.stderr.write(`--driver is one of ${[...drivers.keys()].join(', ')}, and not ${driver}\n`);
  return 2;
};

process.exitCode = await torture(process.argv.slice(2));
