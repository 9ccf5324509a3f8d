import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './node.mjs';
import { runNode } from './run.mjs';

const [topic = '', ...options] = process.argv.slice(2);

/** Real agents against the simulator. */
const proxy = (): Promise<number> => runNode(['packages/server/test/e2e/main.ts', topic, ...options]);

/** All tests of the page, with every payload, and those in `test/long`, which only run here. */
async function inspector(): Promise<number> {
  const shared = [process.env['RETHREAD_SHARED'], join(root, 'shared'), join(root, '../shared')];
  const found = shared.find((path) => path !== undefined && existsSync(path));
  const env = {
    RETHREAD_PAYLOADS: '1000',
    ...process.env,
    RETHREAD_LONG: '1',
    ...(found === undefined ? {} : { RETHREAD_SHARED: found }),
  };
  const command = ['node_modules/vitest/vitest.mjs', 'run', 'packages/inspector/test', '--testTimeout=1800000'];
  return runNode([...command, ...options], { env });
}

const topics: Readonly<Record<string, () => Promise<number>>> = { proxy, inspector };

/** The tests that are too long for `npm test`: `npm run e2e -- proxy`, or `inspector`. */
const run = topics[topic];
if (run === undefined) {
  process.stderr.write(`Name what to test: npm run e2e -- ${Object.keys(topics).join(' | ')}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await run();
}
