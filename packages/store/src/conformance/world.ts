import assert from 'node:assert/strict';

import type { Batch, Driver, DriverOptions, Entry, Lease, NewSession, Range, Stored } from '../driver.ts';
import { type Environment, createEnvironment } from '../environment.ts';
import type { Owner } from '../owner.ts';
import { encodeRecord } from '../record.ts';
import { textOfBytes } from '../search-text.ts';
import { StoreError, type StoreErrorCode } from '../store-error.ts';
import { Store, type StoreOptions } from '../store.ts';

/** What the suite needs from whoever runs it. */
export type Harness = {
  /** Declares a test, as the function of that name in any framework does. */
  readonly test: (name: string, body: () => Promise<void>) => void;
  /** Opens the driver. The same place is the same sessions, for everybody who has it open. */
  readonly open: (place: string, options: DriverOptions) => Promise<Driver>;
};

/** What one test works with. Everything that it opens is closed after it. */
export type World = {
  readonly environment: Environment;
  /** Another handle on the place of the test. */
  driver(): Promise<Driver>;
  /** Another store on the place of the test, as another process would open it. */
  store(options?: Partial<StoreOptions>): Promise<Store>;
  /** A store in another place. */
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

/** Declares the claims as tests. */
export function declare(harness: Harness, claims: readonly Claim[]): void {
  for (const [name, body] of claims) harness.test(name, () => inNewWorld(harness, body));
}

/** A writer on a machine that nobody here can look at, so that only time proves it dead. */
export const stranger = (id: string): Owner => ({ id, host: 'a machine elsewhere', pid: 1, started: 'long ago' });

export const about: NewSession = { createdAt: '2026-01-02T03:04:05.678Z', base: 0 };

export const ttl = 60_000;

/** A session with a lease on it. */
export async function begin(driver: Driver, session: string, owner: Owner = stranger('first')): Promise<Lease> {
  await driver.create(session, about);
  return driver.acquire(session, owner, ttl);
}

export function entry(seq: number, data: unknown = `record ${seq}`, kind = 'note'): Entry {
  const id = `id-${seq}`;
  const bytes = encodeRecord({ seq, id, at: about.createdAt, kind, data });
  return { seq, id, kind, bytes, text: () => textOfBytes(bytes) };
}

/** A batch of so many records behind the expected head. */
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

/** With bytes of their own: those that a driver gives are good until the next are asked for. */
export async function readAll(driver: Driver, session: string, range: Range = {}): Promise<Stored[]> {
  const all: Stored[] = [];
  for await (const some of driver.read(session, range)) {
    for (const { seq, bytes } of some) all.push({ seq, bytes: Uint8Array.from(bytes) });
  }
  return all;
}

export const seqsOf = async (driver: Driver, session: string, range: Range = {}): Promise<number[]> =>
  (await readAll(driver, session, range)).map(({ seq }) => seq);

/** The failure must be typed, with this code; anything else fails the test. */
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

/** A message as the user or the assistant would have it, in a dialect whose rules the tests know. */
export const message = (role: 'user' | 'assistant', content: unknown): { kind: string; data: unknown } => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role, content } },
});
