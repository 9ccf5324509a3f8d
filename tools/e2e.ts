import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './node.mjs';
import { runNode } from './run.mjs';

/** The long tests of a package: `npm run e2e -- inspector`. Those in the folder `test/long` only run here. */
const [name = '', ...options] = process.argv.slice(2);
const folder = `packages/${name}/test`;

if (!/^[a-z]+$/.test(name) || !existsSync(join(root, folder, 'long'))) {
  process.stderr.write('Name a package that has long tests: npm run e2e -- inspector\n');
  process.exitCode = 2;
} else {
  const shared = [process.env['RETHREAD_SHARED'], join(root, 'shared'), join(root, '../shared')];
  const found = shared.find((path) => path !== undefined && existsSync(path));
  const env = {
    RETHREAD_PAYLOADS: '1000',
    ...process.env,
    RETHREAD_LONG: '1',
    ...(found === undefined ? {} : { RETHREAD_SHARED: found }),
  };
  const command = ['node_modules/vitest/vitest.mjs', 'run', folder, '--testTimeout=1800000', ...options];
  process.exitCode = await runNode(command, { env });
}
