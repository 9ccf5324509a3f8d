import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { type NewRecord, type OpenOptions, type Session, type Store, StoreError, open } from '../src/index.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-odd-'));
afterAll(() => rmSync(around, { recursive: true }));

let places = 0;
const newPlace = (): string => join(around, `place-${(places += 1)}`);

/** The code of a refusal; any other error fails the test. */
async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

const openAndClose =
  (url: string, options: OpenOptions = {}) =>
  async (): Promise<void> => {
    const store = await open(url, options);
    await store.close();
  };

const urls = (): string[] => ['memory:', `file:${newPlace()}`, `sqlite:${newPlace()}.db`];

async function onEvery(work: (store: Store) => Promise<void>, options: OpenOptions = {}): Promise<void> {
  for (const url of urls()) {
    const store = await open(url, { durability: 'os', ...options });
    await work(store);
    await store.close();
  }
}

describe('a URL', () => {
  test('without a readable path is refused with a StoreError', async () => {
    for (const rest of ['//host/x', '///a%2Fb', '///%zz', '', '\u0000', `//${around}/x#part`]) {
      for (const scheme of ['file', 'sqlite']) {
        expect([scheme, rest, await codeOf(openAndClose(`${scheme}:${rest}`))]).toEqual([
          scheme,
          rest,
          rest === '\u0000' ? 'unsafe' : 'unsupported',
        ]);
      }
    }
  });

  test('with an unknown setting is refused and creates nothing', async () => {
    for (const scheme of ['file', 'sqlite']) {
      for (const rest of [newPlace(), `//${newPlace()}`]) {
        expect(await codeOf(openAndClose(`${scheme}:${rest}?Durability=os`))).toBe('unsupported');
        expect(existsSync(rest)).toBe(false);
      }
    }
  });

  test('that is complete has its escapes decoded, and a plain path is used as it is', async () => {
    for (const scheme of ['file', 'sqlite']) {
      const place = newPlace();
      await openAndClose(`${scheme}://${place}%20and%3Fmore?durability=os`)();
      await openAndClose(`${scheme}:${place}%20plain`)();
      expect([existsSync(`${place} and?more`), existsSync(`${place}%20plain`)]).toEqual([true, true]);
    }
  });
});

describe('an option', () => {
  test('that is unknown is refused: no weaker level is chosen silently', async () => {
    for (const durability of ['Strict', 'sync', '', null, {}, { batchMs: Number.NaN }, { batchMs: -1 }]) {
      for (const url of urls()) {
        expect(await codeOf(openAndClose(url, { durability } as unknown as OpenOptions))).toBe('unsupported');
      }
    }
  });

  test('that would end a lease at once or never is refused', async () => {
    for (const leaseMs of [0, -1, Number.NaN, Infinity, 2 ** 31, '30000']) {
      expect(await codeOf(openAndClose('memory:', { leaseMs } as unknown as OpenOptions))).toBe('unsupported');
    }
    for (const recordLimit of [0, -1, Number.NaN, '1']) {
      expect(await codeOf(openAndClose('memory:', { recordLimit } as unknown as OpenOptions))).toBe('unsupported');
    }
  });
});

const appended = (session: Session, value: unknown): Promise<string> =>
  codeOf(() => session.append(value as NewRecord));

test('an invalid record is refused, and the session stays readable', async () => {
  await onEvery(async (store) => {
    const session = await store.create();
    await session.append({ kind: 'note', data: 1 });
    const odd = [null, undefined, 5, 'note', [null], [5], { kind: 5, data: 1 }, { kind: undefined, data: 1 }];
    const unheld = [{ kind: 'note', data: () => 1 }, { kind: 'note', data: Symbol('x') }, new Set([1])];
    for (const value of [...odd, ...unheld]) expect(await appended(session, value)).toBe('unstorable');
    const op = 5 as unknown as string;
    expect(await codeOf(() => session.append({ kind: 'note', data: 1 }, { op }))).toBe('unstorable');
    await session.append({ kind: 'note', data: 2 });
    expect((await session.load()).map(({ data }) => data)).toEqual([1, 2]);
  });
});

test('data that throws on access is refused with a StoreError that has the error as its cause', async () => {
  const own = new Error('own');
  const fail = (): never => {
    throw own;
  };
  const hostile: readonly object[] = [
    Object.defineProperty({ data: 1 }, 'kind', { get: fail, enumerable: true }),
    Object.defineProperty({ kind: 'note' }, 'data', { get: fail, enumerable: true }),
    { kind: 'note', data: Object.defineProperty({}, 'x', { get: fail, enumerable: true }) },
    { kind: 'note', data: { toJSON: fail } },
    new Proxy({}, { has: fail }),
    [new Proxy({ kind: 'note' }, { get: fail })],
  ];
  await onEvery(async (store) => {
    const session = await store.create();
    for (const value of hostile) {
      const error = await session.append(value as NewRecord).catch((refused: unknown) => refused);
      expect(error instanceof StoreError && [error.code, error.cause === own]).toEqual(['unstorable', true]);
    }
    expect((await session.append({ kind: 'note', data: 1 })).seq).toBe(1);
  });
});

test('data is stored as JSON.stringify writes it', async () => {
  const data = { no: undefined, nan: Number.NaN, at: new Date(0), map: new Map([[1, 2]]), bytes: new Uint8Array([7]) };
  await onEvery(async (store) => {
    const session = await store.create();
    await session.append({ kind: 'note', data });
    const stored = { nan: null, at: '1970-01-01T00:00:00.000Z', map: {}, bytes: { 0: 7 } };
    expect((await session.load())[0]?.data).toEqual(stored);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [1n, { deep: [1n] }, cycle]) {
      expect(await appended(session, { kind: 'note', data: value })).toBe('unstorable');
    }
  });
});

test('an invalid id is refused', async () => {
  await onEvery(async (store) => {
    for (const id of [5, null, {}, [], ['a'], '', 'x'.repeat(257)]) {
      expect(await codeOf(() => store.create({ id } as { id: string }))).toBe('unstorable');
      expect(await codeOf(() => store.session(id as string))).toBe('unstorable');
    }
  });
});

test('a search without a limit finds everything in every driver', async () => {
  await onEvery(async (store) => {
    const session = await store.create();
    await session.append(Array.from({ length: 120 }, () => ({ kind: 'note', data: 'needle' })));
    let found = 0;
    for await (const { seq } of store.search('needle', { limit: Infinity })) found += seq > 0 ? 1 : 0;
    expect(found).toBe(120);
  });
});

const recordOf = (seq: number, more: object = {}): object => ({
  v: 1,
  seq,
  id: `i${seq}`,
  at: '2026-01-01T00:00:00.000Z',
  kind: 'note',
  ...more,
  data: { text: `x${seq}` },
});

/** An export with a correct digest and arbitrary records. */
function exportOf(records: readonly object[]): Uint8Array {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const digest = `sha256:${createHash('sha256').update(lines).digest('hex')}`;
  const header = JSON.stringify({ rethread: 'session', v: 1, id: 'imported', createdAt: '2026-01-01T00:00:00.000Z' });
  return Buffer.from(`${header}\n${lines}${JSON.stringify({ rethread: 'end', records: records.length, digest })}\n`);
}

describe('an export', () => {
  test('with one operation in two places, as from a fork, keeps all its records', async () => {
    await onEvery(async (store) => {
      await store.import(exportOf([recordOf(1, { op: 'x' }), recordOf(2), recordOf(3, { op: 'x' })]));
      const session = await store.session('imported');
      expect((await session.load()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });
  });

  test('with an invalid number or a record over the limit is refused', async () => {
    await onEvery(
      async (store) => {
        expect(await codeOf(() => store.import(exportOf([recordOf(Number.MAX_SAFE_INTEGER)])))).toBe('damaged');
        expect(await codeOf(() => store.import(exportOf([recordOf(1, { op: 5 })])))).toBe('damaged');
        const long = exportOf([recordOf(1, { long: 'y'.repeat(20_000) })]);
        expect(await codeOf(() => store.import(long))).toBe('unstorable');
        expect(await codeOf(() => store.session('imported'))).toBe('missing');
        await store.import(exportOf([recordOf(999_999_999_999_998)]));
        const session = await store.session('imported');
        await session.append({ kind: 'note', data: 'the last number' });
        expect((await session.load()).length).toBe(2);
        expect(await codeOf(() => session.append({ kind: 'note', data: 'one too many' }))).toBe('unstorable');
        expect((await session.load()).length).toBe(2);
      },
      { recordLimit: 10_000 },
    );
  });

  test('whose stream fails at the first read is refused with a StoreError', async () => {
    await onEvery(async (store) => {
      const failing = (async function* (): AsyncGenerator<Uint8Array> {
        await Promise.resolve();
        yield* [];
        throw new Error('no such file');
      })();
      expect(await codeOf(() => store.import(failing))).toBe('io');
      for (const source of [null, 5]) expect(await codeOf(() => store.import(source as never))).toBe('io');
    });
  });
});

test('a history of very many messages is compacted', async () => {
  const store = await open('memory:');
  const session = await store.create();
  const message = (index: number): NewRecord => ({
    kind: 'message',
    data: { dialect: 'anthropic-messages', wire: { role: index % 2 === 0 ? 'user' : 'assistant', content: 'q' } },
  });
  await session.append(Array.from({ length: 150_000 }, (_, index) => message(index)));
  await session.compact((messages) => messages.slice(-10));
  expect((await session.project())?.messages.length).toBe(10);
  await store.close();
});

test('a lease from a clock years ahead expires in time by the correct clock', async () => {
  for (const url of [`memory:${newPlace()}`, `file:${newPlace()}`, `sqlite:${newPlace()}.db`]) {
    let now = 2_000_000_000_000;
    const environment = { now: () => now, alive: () => undefined };
    const [one, two] = [await open(url, { environment }), await open(url, { environment })];
    const session = await one.create({ id: 's' });
    await session.append({ kind: 'note', data: 1 });
    now -= 10 * 365 * 86_400_000;
    await codeOf(async () => (await two.session('s')).append({ kind: 'note', data: 2 }));
    now += 31_000;
    expect([url, await codeOf(async () => (await two.session('s')).append({ kind: 'note', data: 2 }))]).toEqual([
      url,
      'done',
    ]);
    expect(await codeOf(() => session.append({ kind: 'note', data: 'stale' }))).toBe('stale');
    await one.close();
    await two.close();
  }
});
