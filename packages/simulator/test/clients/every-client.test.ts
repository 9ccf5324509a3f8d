import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('every-client.ts', import.meta.url));

test('a program that used every client ends by itself once the simulator is closed', async () => {
  // With nothing in the environment but the way to its files; a leaked socket or timer would keep it until the timeout.
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: {}, timeout: 30_000 });
  expect(JSON.parse(stdout)).toEqual({ requests: 8, broken: 3 });
});
