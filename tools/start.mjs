import { join } from 'node:path';

import { root } from './node.mjs';
import { runNode } from './run.mjs';
import { setUp } from './setup.mjs';

const command = join(root, 'packages/cli/dist/rethread.js');
const args = process.argv.slice(2);

// npm runs scripts in the root, but a relative path means a file below the directory the user is in.
const cwd = process.env['INIT_CWD'] ?? process.cwd();

const start = () => runNode([command, ...args], { cwd });

const demo = async () => {
  const code = await runNode([command, 'demo'], { cwd });
  process.stderr.write('\nThe sessions on this machine:\n');
  // What is wrong with them is no failure of the demo.
  await runNode([command, '--all'], { cwd });
  process.stderr.write('\nIn this clone npm start -- stands for rethread: npm start -- doctor last\n');
  return code;
};

const ready = await setUp();
process.exitCode = ready === 0 ? await (args.length === 0 ? demo() : start()) : ready;
