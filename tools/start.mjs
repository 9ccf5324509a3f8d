import { join } from 'node:path';

import { root } from './node.mjs';
import { runNode } from './run.mjs';
import { setUp } from './setup.mjs';

const command = join(root, 'packages/cli/dist/rethread.js');
const args = process.argv.slice(2);

// npm runs scripts in the root; the paths a person types are meant from where they stand.
const start = () =>
  runNode([command, ...(args.length === 0 ? ['demo'] : args)], { cwd: process.env['INIT_CWD'] ?? process.cwd() });

const code = await setUp();
process.exitCode = code === 0 ? await start() : code;
