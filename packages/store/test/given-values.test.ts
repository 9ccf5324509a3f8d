import assert from 'node:assert/strict';

import { test } from 'vitest';

import { gather, message, refused } from '../src/conformance/world.ts';
import { open } from '../src/open.ts';
import type { Session } from '../src/session.ts';
import { StoreError } from '../src/store-error.ts';
import type { Store } from '../src/store.ts';

// The store refuses these values before it asks its driver, so one driver is enough.

/** Invalid calls. Each must be refused with a StoreError. */
const oddCalls = (store: Store, session: Session): readonly (() => Promise<unknown>)[] => {
  const [no, date, signal] = [Number.NaN, new Date(Number.NaN), new AbortController().signal];
  const odd = <T>(value: unknown): T => value as T;
  return [
    () => session.revert({ to: date }),
    () => session.revert({ to: no }),
    () => session.revert({ to: -1 }),
    () => session.revert({ to: 0.5 }),
    () => session.revert({ to: odd('1') }),
    () => session.revert({ to: odd(undefined) }),
    () => session.revert(odd(undefined)),
    () => session.fork({ at: no }),
    () => session.fork({ at: -1 }),
    () => session.fork({ at: odd('1') }),
    () => session.fork(odd(null)),
    () => session.fork({ title: odd(5) }),
    ...[no, -1, 0.5, 99, odd<number>('1'), odd<number>(null)].map((seq) => () => session.pin(seq)),
    ...[no, -1, 99, odd<number>({})].map((seq) => () => session.unpin(seq)),
    ...[no, -1, 0.5, odd<number>('1')].map((expect) => () => session.append(message('user', 'x'), { expect })),
    () => session.append(message('user', 'x'), odd(null)),
    () => session.compact({ from: no, to: 1, summary: 'x' }),
    () => session.compact({ from: odd('1'), to: 1, summary: 'x' }),
    () => session.compact(odd(null)),
    () => session.rename(odd(5)),
    () => session.mend(odd('whole')),
    () => session.erase({ forks: odd('both') }),
    () => session.erase(odd(null)),
    () => session.page({ before: no }),
    () => session.page({ minRecords: no }),
    () => session.delegate({ callId: odd(5) }),
    ...[{ after: no }, { before: no }, { after: 0.5 }, { limit: no }, { limit: -1 }, { limit: 1.5 }].flatMap(
      (range) => [
        () => session.load(range),
        () => gather(session.read(range)),
        () => gather(session.read({ ...range, backward: true })),
      ],
    ),
    () => session.load(odd(null)),
    () => session.load({ backward: odd('yes') }),
    () => gather(session.follow({ after: no, signal })),
    ...[undefined, null].map((options) => () => gather(session.follow(odd(options)))),
    () => gather(session.follow({ signal: odd({}) })),
    () => gather(store.list({ limit: no })),
    () => gather(store.list({ limit: -1 })),
    () => gather(store.list({ after: odd(5) })),
    () => gather(store.list({ parent: odd({}) })),
    () => gather(store.list({ archived: odd('yes') })),
    () => gather(store.list(odd(null))),
    () => gather(store.search(odd(5))),
    () => gather(store.search('x', { limit: no })),
    () => gather(store.search('x', { session: odd(5) })),
    () => store.session(odd(undefined)),
    () => store.create({ title: odd({}) }),
    () => store.create({ parent: odd(5) }),
    () => store.create(odd(null)),
    () => store.import(new Uint8Array(), odd(null)),
    () => store.recoverSession(odd(5)),
    () => store.recoverSession(session.id, undefined, { audit: odd('always') }),
  ];
};

test('invalid arguments are refused with a StoreError and change nothing', async () => {
  const store = await open('memory:');
  const session = await store.create({ id: 's' });
  await session.append(message('user', 'shared'));
  await session.append(message('assistant', 'two'));
  for (const [index, call] of oddCalls(store, session).entries()) {
    const refusal = await call().then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(refusal instanceof StoreError, `odd call ${index}: ${String(refusal)}`);
  }
  assert.deepEqual(
    (await session.load()).map(({ seq }) => seq),
    [1, 2],
  );
  assert.deepEqual(
    (await gather(store.list())).map(({ id }) => id),
    ['s'],
  );
});

test('an empty or too long id is refused before anything is created', async () => {
  const store = await open('memory:');
  await refused(store.create({ id: '' }), 'unstorable');
  await refused(store.create({ id: 'x'.repeat(257) }), 'unstorable');
  await refused(store.session('x'.repeat(4096)), 'unstorable');
  assert.deepEqual(await gather(store.list()), []);
});

test('an unstorable record is refused by name, and the session stays as it was', async () => {
  const store = await open('memory:', { recordLimit: 10_000 });
  const session = await store.create();
  await session.append({ kind: 'note', data: 1 });
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  for (const data of [deep, cyclic, 1n, 'x'.repeat(10_001)]) {
    await refused(session.append({ kind: 'note', data }), 'unstorable');
    await refused(
      session.append([
        { kind: 'note', data: 0 },
        { kind: 'note', data },
      ]),
      'unstorable',
    );
  }
  await refused(session.append([]), 'unstorable');
  await session.append({ kind: 'note', data: 2 });
  assert.deepEqual(
    (await session.load()).map(({ seq, data }) => [seq, data]),
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test('an object changed after the call is stored as it was at the call', async () => {
  const session = await (await open('memory:')).create({ id: 's' });
  const [data, records, options] = [{ text: 'given' }, [{ kind: 'note', data: 'first' }], { op: 'one' }];
  // The first append waits for the lease and the others for an operation, so that none is written at once.
  const work = [
    session.append(records, options),
    session.append({ kind: 'note', data }),
    session.append([{ kind: 'note', data }]),
  ];
  data.text = 'changed';
  options.op = 'another';
  records.push({ kind: 'note', data: 'more' });
  await Promise.all(work);
  assert.deepEqual(
    (await session.load()).map(({ data: stored, op }) => [stored, op]),
    [
      ['first', 'one'],
      [{ text: 'given' }, undefined],
      [{ text: 'given' }, undefined],
    ],
  );
});

test('prototype keys are plain data', async () => {
  const session = await (await open('memory:')).create();
  const data: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');
  await session.append({ kind: 'note', data });
  const [record] = await gather(session.read());
  assert.equal(JSON.stringify(record?.data), JSON.stringify(data));
  assert.equal((Object.prototype as Record<string, unknown>)['polluted'], undefined);
});
