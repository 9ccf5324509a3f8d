import { checkOptions } from './arguments.ts';
import type { Durability, OpenDriver } from './driver.ts';
import { type Environment, type Notice, createEnvironment } from './environment.ts';
import { Store, type StoreOptions } from './store.ts';
import { StoreError } from './store-error.ts';

export type OpenOptions = Omit<StoreOptions, 'environment'> & {
  /** When a write is acknowledged (default: `strict`). Also `?durability=` in the URL. */
  readonly durability?: Durability;
  /** Called for events nobody asked for, such as a quarantined tail. */
  readonly onNotice?: (notice: Notice) => void;
  /** Replacements for parts of the environment, in tests. */
  readonly environment?: Partial<Environment>;
};

/** Loads only the driver that the URL names. */
const drivers: Readonly<Record<string, () => Promise<OpenDriver>>> = {
  file: async () => (await import('./drivers/file.ts')).openFile,
  memory: async () => (await import('./drivers/memory.ts')).openMemory,
  sqlite: async () => (await import('./drivers/sqlite.ts')).openSqlite,
  postgres: async () => (await import('./drivers/postgres.ts')).openPostgres,
  postgresql: async () => (await import('./drivers/postgres.ts')).openPostgres,
};

function toDurability(text: string): Durability {
  if (text === 'strict' || text === 'os') return text;
  const ms = /^batch\((\d{1,6})\)$/.exec(text)?.[1];
  if (ms !== undefined) return { batchMs: Number(ms) };
  throw new StoreError('unsupported', `unknown durability ${JSON.stringify(text)}; use strict, os or batch(ms)`);
}

/** Refuses an unknown level: any guess could be weaker than what the caller wants. */
function checkDurability(durability: unknown): void {
  if (typeof durability === 'string' && ['strict', 'os', 'none'].includes(durability)) return;
  const ms = typeof durability === 'object' && durability !== null && 'batchMs' in durability && durability.batchMs;
  if (typeof ms === 'number' && ms >= 0 && ms < 2 ** 31) return;
  throw new StoreError('unsupported', 'the durability must be "strict", "os" or { batchMs }');
}

/** Separates the durability from the URL; the driver reads the other parameters. */
function splitUrl(url: string): { readonly place: string; readonly durability?: Durability } {
  const [, place = url, query] = /^([^?]*)\?(.*)$/s.exec(url) ?? [];
  if (query === undefined) return { place };
  const parameters = new URLSearchParams(query);
  const durability = parameters.get('durability');
  parameters.delete('durability');
  const rest = parameters.size === 0 ? place : `${place}?${parameters.toString()}`;
  return { place: rest, ...(durability === null ? {} : { durability: toDurability(durability) }) };
}

/** Opens the store that a URL names: `file:./dir`, `sqlite:./file.db`, `postgres://…` or `memory:`. */
export async function open(url: string, options: OpenOptions = {}): Promise<Store> {
  if (typeof url !== 'string') throw new StoreError('unsupported', `the store URL must be a string, not ${typeof url}`);
  checkOptions(options);
  const { environment: overrides, onNotice, durability: wanted, ...rest } = options;
  const { place, durability } = splitUrl(url);
  const scheme = /^([a-z]+):/.exec(place)?.[1] ?? '';
  const load = Object.hasOwn(drivers, scheme) ? drivers[scheme] : undefined;
  if (load === undefined) {
    const names = Object.keys(drivers).map((name) => `${name}:`);
    throw new StoreError('unsupported', `unknown store URL; it must start with one of ${names.join(', ')}`);
  }
  if (wanted !== undefined) checkDurability(wanted);
  const environment = createEnvironment({ ...(onNotice === undefined ? {} : { tell: onNotice }), ...overrides });
  const openDriver = await load();
  return new Store(await openDriver(place, { environment, durability: wanted ?? durability ?? 'strict' }), {
    environment,
    ...rest,
  });
}
