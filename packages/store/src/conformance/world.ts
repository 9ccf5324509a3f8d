import assert from 'node:assert/strict';

import type { Batch, Driver, DriverOptions, Entry, Lease, NewSession, Range, Stored } from '../driver.ts';
import { type Environment, createEnvironment } from '../environment.ts';
import type { Owner } from '../owner.ts';
import { encodeRecord } from '../record.ts';
import { textOfBytes } from '../search-text.ts';
import { StoreError, type StoreErrorCode } from '../store-error.ts';
import { Store, type StoreOptions } from '../store.ts';

/** What the caller of the suite provides. */
export type Harness = {
  /** Declares a test; the `test` function of any framework. */
  readonly test: (name: string, body: () => Promise<void>) => void;
  /** Opens the driver. The same place always has the same sessions. */
  readonly open: (place: string, options: DriverOptions) => Promise<Driver>;
};

/** The environment of one test. Everything it opens is closed afterwards. */
export type World = {
  readonly environment: Environment;
  /** Opens the test's place once more. */
  driver(): Promise<Driver>;
  /** Opens the test's place once more, as another process would. */
  store(options?: Partial<StoreOptions>): Promise<Store>;
  /** Opens a store in another place. */
  elsewhere(): Promise<Store>;
};

export type Claim = readonly [name: string, body: (world: World) => Promise<void>];

let places = 0;

async function inNewWorld({ open }: Harness, body: (world: World) => Promise<void>): Promise<void> {
  const environment = createEnvironment();
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(thing: T): T => {
    opened.unshift(thing);
    return thing;
  };
  const here = `conformance-${(places += 1)}`;
  const driver = (place: string): Promise<Driver> => open(place, { environment, durability: 'strict' });
  const world: World = {
    environment,
    driver: async () => keep(await driver(here)),
    store: async (options) => keep(new Store(await driver(here), { environment, ...options })),
    elsewhere: async () => keep(new Store(await driver(`${here}-elsewhere`), { environment })),
  };
  try {
    await body(world);
  } finally {
    for (const thing of opened) await thing.close();
  }
}

export function declare(harness: Harness, claims: readonly Claim[]): void {
  for (const [name, body] of claims) harness.test(name, () => inNewWorld(harness, body));
}

/** A writer on another machine, so that only time proves it dead. */
export const stranger = (id: string): Owner => ({ id, host: 'a machine elsewhere', pid: 1, started: 'long ago' });

export const about: NewSession = { createdAt: '2026-01-02T03:04:05.678Z', base: 0 };

export const ttl = 60_000;

export async function begin(driver: Driver, session: string, owner: Owner = stranger('first')): Promise<Lease> {
  await driver.create(session, about);
  return driver.acquire(session, owner, ttl);
}

export function entry(seq: number, data: unknown = `record ${seq}`, kind = 'note'): Entry {
  const id = `id-${seq}`;
  const bytes = encodeRecord({ seq, id, at: about.createdAt, kind, data });
  return { seq, id, kind, bytes, text: () => textOfBytes(bytes) };
}

/** A batch of `count` records behind the expected head. */
export function batch(lease: Lease, expect: number, more: { count?: number; op?: string } = {}): Batch {
  const { count = 1, op } = more;
  const entries = Array.from({ length: count }, (_, index) => entry(expect + 1 + index));
  const info = { updatedAt: '2026-01-02T03:05:00.000Z' };
  return { entries, lease, expect, info, ...(op === undefined ? {} : { op }) };
}

export async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

/** Copies the bytes, because a driver may overwrite them with the next chunk. */
export async function readAll(driver: Driver, session: string, range: Range = {}): Promise<Stored[]> {
  const all: Stored[] = [];
  for await (const some of driver.read(session, range)) {
    for (const { seq, bytes } of some) all.push({ seq, bytes: Uint8Array.from(bytes) });
  }
  return all;
}

export const seqsOf = async (driver: Driver, session: string, range: Range = {}): Promise<number[]> =>
  (await readAll(driver, session, range)).map(({ seq }) => seq);

/** Expects a StoreError with this code. */
export async function refused(work: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof StoreError, `expected a StoreError, not ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  return assert.fail(`expected a refusal with the code ${code}`);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A message in a dialect whose rules the tests know. */
export const message = (role: 'user' | 'assistant', content: unknown): { kind: string; data: unknown } => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role, content } },
});
