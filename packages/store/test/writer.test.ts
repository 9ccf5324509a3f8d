import { describe, expect, test } from 'vitest';

import { openMemory } from '../src/drivers/memory.ts';
import {
  type Driver,
  type Environment,
  type Notice,
  type Session,
  Store,
  StoreError,
  createEnvironment,
} from '../src/index.ts';

/** A clock that moves only on demand, with its timers. */
function createClock(): {
  readonly environment: Environment;
  readonly notices: Notice[];
  readonly move: (ms: number) => Promise<void>;
} {
  let now = 1_000_000;
  const timers = new Map<() => void, number>();
  const notices: Notice[] = [];
  const environment = createEnvironment({
    now: () => now,
    after: (ms, callback) => {
      timers.set(callback, now + ms);
      return () => timers.delete(callback);
    },
    tell: (notice) => notices.push(notice),
  });
  const move = async (ms: number): Promise<void> => {
    now += ms;
    for (const [callback, due] of timers) {
      if (due > now) continue;
      timers.delete(callback);
      callback();
    }
    await new Promise((resolve) => void setImmediate(resolve));
  };
  return { environment, notices, move };
}

type World = ReturnType<typeof createClock> & {
  readonly driver: Driver;
  readonly store: Store;
  readonly session: Session;
};

let places = 0;

/** A store with a modified driver: `changed` replaces some of its methods. */
async function createWorld(changed: (driver: Driver) => Partial<Driver> = () => ({})): Promise<World> {
  const clock = createClock();
  const { environment } = clock;
  const real = await openMemory(`memory:writer-${(places += 1)}`, { environment, durability: 'strict' });
  const replaced = changed(real);
  const driver = new Proxy(real, {
    get: (target, key) => {
      const value: unknown = Reflect.get(key in replaced ? replaced : target, key);
      return typeof value === 'function' ? value.bind(key in replaced ? replaced : target) : value;
    },
  });
  const store = new Store(driver, { environment, leaseMs: 30_000 });
  return { ...clock, driver: real, store, session: await store.create({ id: 's' }) };
}

const note = (data: unknown): { kind: string; data: unknown } => ({ kind: 'note', data });

const codeOf = (error: unknown): string => (error instanceof StoreError ? error.code : String(error));

const outcomes = async (work: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map((each) => (each.status === 'fulfilled' ? 'ok' : codeOf(each.reason)));

describe('the lease', () => {
  test('is acquired by the first append, renewed while the session is open, and released', async () => {
    const { session, driver, move, environment } = await createWorld();
    await driver.release(await driver.acquire('s', environment.owner(), 1));
    await session.append(note(1));
    for (let minute = 0; minute < 10; minute += 1) {
      for (let step = 0; step < 6; step += 1) await move(10_000);
      await expect(driver.acquire('s', environment.owner(), 1)).rejects.toThrow(/is written by/);
    }
    await session.close();
    await expect(driver.acquire('s', environment.owner(), 1)).resolves.toBeDefined();
  });

  test('if lost, ends a writer for good with a notice, and a new handle can take over', async () => {
    const { session, store, driver, move, environment, notices } = await createWorld();
    await session.append(note(1));
    // The process sleeps beyond its lease: no timer runs, and another process takes the session.
    const thief = createClock();
    await thief.move(3_600_000);
    const other = await openMemory(driver.url, { environment: thief.environment, durability: 'strict' });
    const lease = await other.acquire('s', environment.owner(), 1000);
    expect(await outcomes([session.append(note(2)), session.append(note(3))])).toEqual(['stale', 'stale']);
    expect(notices.map(({ kind }) => kind)).toEqual(['lease-lost']);
    await other.release(lease);
    await move(60_000);
    expect(await outcomes([session.append(note(4))])).toEqual(['stale']);
    const again = await store.session('s');
    expect((await again.append(note(5))).seq).toBe(2);
    expect((await again.load()).map(({ data }) => data)).toEqual([1, 5]);
  });

  test('is renewed again later if the disk fails', async () => {
    let failures = 2;
    const { session, driver, move, environment } = await createWorld((real) => ({
      renew: async (lease, ttl) => {
        failures -= 1;
        if (failures >= 0) throw new StoreError('io', 'the disk is tired');
        return real.renew(lease, ttl);
      },
    }));
    await session.append(note(1));
    for (let step = 0; step < 9; step += 1) await move(9_999.9);
    expect(failures).toBeLessThan(0);
    await move(10_000);
    await expect(driver.acquire('s', environment.owner(), 1)).rejects.toThrow(/is written by/);
  });

  test('is not lost by a slow renewal of an earlier one', async () => {
    const waiting: (() => void)[] = [];
    const { session, move } = await createWorld((real) => ({
      renew: async (lease, ttl) => {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        return real.renew(lease, ttl);
      },
    }));
    await session.append(note(1));
    await move(10_000);
    expect(waiting).toHaveLength(1);
    await session.close();
    await session.append(note(2));
    for (const go of waiting.splice(0)) go();
    await move(0);
    expect((await session.append(note(3))).seq).toBe(3);
  });

  test('is released after a mere note', async () => {
    const { store, session, driver, environment } = await createWorld();
    await session.append({
      kind: 'message',
      data: { dialect: 'anthropic-messages', wire: { role: 'assistant', content: 'x' } },
    });
    await session.close();
    const { audit } = await store.recoverSession('s', { dialect: 'anthropic-messages', purpose: 'request' });
    expect(audit.written).toBeGreaterThan(0);
    await store.create({ id: 'child', parent: 's' });
    await expect(driver.acquire('s', environment.owner(), 1)).resolves.toBeDefined();
  });
});

describe('appends that fail', () => {
  const failing = (which: (count: number) => boolean, code: 'io' | 'full'): ((real: Driver) => Partial<Driver>) => {
    let count = 0;
    return (real) => ({
      append: async (batch) => {
        count += 1;
        if (which(count)) throw new StoreError(code, 'no room');
        return real.append(batch);
      },
    });
  };

  test('fail the appends behind them, and the next one gets the right number', async () => {
    const { session } = await createWorld(failing((count) => count === 3, 'full'));
    const work = Array.from({ length: 6 }, (_, index) => session.append(note(index)));
    expect(await outcomes(work)).toEqual(['ok', 'ok', 'full', 'conflict', 'conflict', 'conflict']);
    expect((await session.append(note('after'))).seq).toBe(3);
    expect((await session.load()).map(({ seq, data }) => [seq, data])).toEqual([
      [1, 0],
      [2, 1],
      [3, 'after'],
    ]);
  });

  test('can be retried with the same operation and are stored once', async () => {
    let writes = 0;
    const { session } = await createWorld((real) => ({
      append: async (batch) => {
        const head = await real.append(batch);
        writes += 1;
        // It was written, but the response was lost.
        if (writes === 1) throw new StoreError('io', 'the connection was cut');
        return head;
      },
    }));
    expect(await outcomes([session.append(note(1), { op: 'x' })])).toEqual(['io']);
    expect((await session.append(note(1), { op: 'x' })).seq).toBe(1);
    expect((await session.append(note(2))).seq).toBe(2);
    expect((await session.load()).map(({ data }) => data)).toEqual([1, 2]);
  });
});

test('a child created anew for another call is linked to its parent again', async () => {
  const { session, store } = await createWorld();
  const linked = async (): Promise<unknown[]> => (await session.load()).map(({ data }) => data);
  const child = await session.delegate({ id: 'child', callId: 'one' });
  await child.erase();
  await store.create({ id: 'child', parent: 's', callId: 'two' });
  expect(await linked()).toEqual([
    { child: 'child', callId: 'one' },
    { child: 'child', callId: 'two' },
  ]);
});

test('an unstorable record fails in its turn, together with the appends behind it', async () => {
  const { session } = await createWorld();
  const work = [note(1), note(2n), note(3)].map((each) => session.append(each));
  expect(await outcomes(work)).toEqual(['ok', 'unstorable', 'conflict']);
  expect((await session.append(note(4))).seq).toBe(2);
});

test('no fork is left of a session that is erased meanwhile', async () => {
  const between: (() => Promise<unknown>)[] = [];
  const { session, store } = await createWorld((real) => ({
    create: async (id, about) => {
      for (const step of between) await step();
      return real.create(id, about);
    },
  }));
  await session.append(note(1));
  between.push(() => session.erase());
  expect(await outcomes([session.fork({ id: 'fork' })])).toEqual(['missing']);
  expect(await outcomes([store.session('fork')])).toEqual(['missing']);
});

test('a fork does not share records of a later session with the name of its source', async () => {
  const { session, store, driver, environment } = await createWorld((real) => ({
    create: async (id, about) => {
      if (id === 'fork') {
        await session.erase();
        await real.create('s', { createdAt: 'later', base: 0 });
        const lease = await real.acquire('s', environment.owner(), 1_000);
        const bytes = Buffer.from('{"v":1,"seq":1,"id":"x","at":"","kind":"note","data":"of another"}');
        const entries = [{ seq: 1, id: 'x', kind: 'note', bytes }];
        await real.append({ entries, lease, expect: 0, info: { updatedAt: '' } });
      }
      return real.create(id, about);
    },
  }));
  await session.append(note(1));
  expect(await outcomes([session.fork({ id: 'fork' })])).toEqual(['missing']);
  expect(await outcomes([store.session('fork')])).toEqual(['missing']);
  expect(await driver.info('s')).toMatchObject({ createdAt: 'later', records: 1 });
});

test('a closed store has released its leases and refuses further calls', async () => {
  const { session, store, driver, environment } = await createWorld();
  await session.append(note(1));
  const pending = session.append(note(2));
  await store.close();
  await pending;
  const again = await openMemory(driver.url, { environment, durability: 'strict' });
  expect((await again.acquire('s', environment.owner(), 1)).head).toBe(2);
  expect(await outcomes([session.append(note(3)), store.create(), session.load()])).toEqual([
    'closed',
    'closed',
    'closed',
  ]);
});

test('an import replaced by another import reports the conflict', async () => {
  let robbed = 0;
  const { store, session } = await createWorld((real) => ({
    acquire: async (id, owner, ttlMs) => {
      // The other import finds the new session without a writer, takes it for an interrupted one, and removes it.
      if (id === 'copy' && (robbed += 1) === 1) await real.erase(await real.acquire(id, { ...owner, id: 'other' }, 1));
      return real.acquire(id, owner, ttlMs);
    },
  }));
  await session.append(note('one'));
  const exported: Uint8Array[] = [];
  for await (const chunk of session.export()) exported.push(chunk);
  expect(await outcomes([store.import(exported, { id: 'copy' })])).toEqual(['conflict']);
  expect(await outcomes([store.import(exported, { id: 'copy' })])).toEqual(['ok']);
});
