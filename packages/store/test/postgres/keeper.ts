import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startServer } from './server.ts';

// Runs one server for all test files in its own process: a crashing test file cannot stop it, and it ends with the run.
const [room = '', runner = ''] = process.argv.slice(2);

const publish = (notice: object): void => {
  const draft = join(room, 'notice.new');
  writeFileSync(draft, JSON.stringify({ keeper: process.pid, ...notice }), { mode: 0o600 });
  renameSync(draft, join(room, 'notice.json'));
};

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const untilGone = async (pid: number): Promise<void> => {
  while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 200));
};

for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
try {
  const server = await startServer({ max_connections: '200' });
  process.once('SIGTERM', () => process.exit(1));
  publish({ url: server.url });
  await untilGone(Number(runner));
  await server.stop();
} catch (error) {
  publish({ error: String(error) });
  await untilGone(Number(runner));
} finally {
  rmSync(room, { recursive: true, force: true });
}
