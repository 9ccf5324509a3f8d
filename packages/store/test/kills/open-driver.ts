import type { Driver, OpenDriver } from '../../src/driver.ts';
import { createEnvironment } from '../../src/environment.ts';

/** The drivers by URL scheme, without the upper layers, so that a child starts fast. */
const drivers: Readonly<Record<string, () => Promise<OpenDriver>>> = {
  file: async () => (await import('../../src/drivers/file.ts')).openFile,
  sqlite: async () => (await import('../../src/drivers/sqlite.ts')).openSqlite,
  postgres: async () => (await import('../../src/drivers/postgres.ts')).openPostgres,
};

const environment = createEnvironment();

export async function openDriver(url: string): Promise<Driver> {
  const load = drivers[/^[a-z]+/.exec(url)?.[0] ?? ''];
  if (load === undefined) throw new Error(`no driver for ${url}`);
  return (await load())(url, { environment, durability: 'strict' });
}

export const owner = environment.owner();
