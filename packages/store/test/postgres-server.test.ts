import { expect, test } from 'vitest';

import { freshDatabase, query, sharedServer, startServer } from './postgres-server.ts';

test('the test files of a run share one real server, each with its own databases', async () => {
  const [first, second] = [await freshDatabase(), await freshDatabase()];
  expect(first).not.toBe(second);
  expect(new URL(first).port).toBe(new URL(await sharedServer()).port);
  const [row] = await query(first, 'select version() as version');
  expect(String(row?.['version'])).toMatch(/^PostgreSQL \d+/);
});

test('a killed server comes back with what was committed', async () => {
  const server = await startServer();
  try {
    await query(server.url, 'create table kept (n int)');
    await query(server.url, 'insert into kept values (7)');
    await server.kill('SIGKILL');
    await expect(query(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
    await server.start();
    expect(await query(server.url, 'select n from kept')).toEqual([{ n: 7 }]);
  } finally {
    await server.stop();
  }
});
