import { decode, toWire, type Dialect } from '@rethread/core';
import { type Session, type Shorten, StoreError, open } from '@rethread/store';
import { expect, test } from 'vitest';

import { startRandom } from '../../core/test/fuzz/random.ts';
import { randomSessions } from './random-sessions.ts';

const message = (role: string, content: string): { kind: string; data: unknown } => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire: { role, content } },
});

const summary = (content: string): unknown => ({ role: 'user', content });

async function talk(...texts: readonly string[]): Promise<Session> {
  const session = await (await open('memory:')).create();
  for (const [index, text] of texts.entries())
    await session.append(message(index % 2 === 0 ? 'user' : 'assistant', text));
  return session;
}

const listOf = async (session: Session): Promise<unknown[]> => {
  const history = await session.project();
  return history === undefined ? [] : toWire(history);
};

const textOf = async (session: Session): Promise<string> =>
  (await listOf(session)).map((wire) => (wire as { content: unknown }).content).join(' ');

/** A list as text, without ids that a dialect requires and a result lacks. */
const shown = (list: readonly unknown[]): string => JSON.stringify(list).replaceAll(/"msg_[0-9a-z]{12,}"/g, '"made"');

/** The texts of the messages, without their authors. */
const said = (list: readonly unknown[], dialect: Dialect): string =>
  (decode(list, dialect)?.messages ?? [])
    .flatMap(({ parts }) => parts)
    .map((part) => [part.kind, 'callId' in part ? part.callId : '', 'text' in part ? part.text : ''].join(' '))
    .join('\n');

const newest = async (session: Session): Promise<unknown> =>
  (await session.load({ backward: true, limit: 1 }))[0]?.data;

test('the result of a function becomes one record with the kept numbers and the new messages', async () => {
  const session = await talk('one', 'two', 'three', 'four', 'five');
  await session.compact((list) => [summary('S'), ...list.slice(2, 3), summary('T'), ...list.slice(4)]);
  expect(await textOf(session)).toBe('S three T five');
  expect(await newest(session)).toEqual({
    from: 1,
    to: 4,
    messages: [{ wire: summary('S') }, { seq: 3 }, { wire: summary('T') }],
    dialect: 'anthropic-messages',
  });
  await session.append(message('assistant', 'six'));
  await session.compact((list) => [summary('R'), ...list.slice(-2)]);
  expect(await textOf(session)).toBe('R five six');
  await session.uncompact();
  expect(await textOf(session)).toBe('S three T five six');
  await session.uncompact();
  expect(await textOf(session)).toBe('one two three four five six');
});

test('a repeated compaction with the same operation does not call the function', async () => {
  const session = await talk('one', 'two', 'three');
  let asked = 0;
  const shorten: Shorten = (list) => [summary(`summary ${(asked += 1)}`), ...list.slice(-1)];
  expect((await session.compact(shorten, { op: 'x' }))?.seq).toBe(4);
  await session.append(message('assistant', 'four'));
  expect((await session.compact(shorten, { op: 'x' }))?.seq).toBe(4);
  expect([asked, await textOf(session)]).toEqual([1, 'summary 1 three four']);
  const fork = await session.fork();
  expect((await fork.compact(shorten, { op: 'x' }))?.seq).toBe(7);
  expect(asked).toBe(2);
  await session.append(message('user', 'five'), { op: 'y' });
  await expect(session.compact(shorten, { op: 'y' })).rejects.toThrow(/already wrote other records/);
});

test('a function that changes nothing writes nothing', async () => {
  const session = await talk('one', 'two');
  expect(await session.compact((list) => list)).toBeUndefined();
  expect(await session.compact((list) => [...list])).toBeUndefined();
  expect((await session.load()).length).toBe(2);
});

test('messages may be removed, inserted and moved', async () => {
  const shortened = async (shorten: Shorten): Promise<string> => {
    const session = await talk('one', 'two', 'three');
    await session.compact(shorten);
    return textOf(session);
  };
  expect(await shortened((list) => list.toSpliced(1, 1))).toBe('one three');
  expect(await shortened((list) => [summary('S'), ...list])).toBe('S one two three');
  expect(await shortened((list) => [...list, summary('S')])).toBe('one two three S');
  expect(await shortened((list) => list.toSpliced(2, 0, summary('S')))).toBe('one two S three');
  expect(await shortened((list) => list.toReversed())).toBe('three two one');
  expect(await shortened((list) => [...list, ...list])).toBe('one two three one two three');
});

/** The code of a refused compaction, and whether the session stayed unchanged. */
async function outcomeOf(session: Session, work: () => Promise<unknown>): Promise<unknown[]> {
  const before = await session.load();
  const code = await work().then(
    () => 'done',
    (error: unknown) => (error instanceof StoreError ? error.code : error),
  );
  return [code, (await session.load()).length - before.length];
}

const odd = <T>(value: unknown): T => value as T;

test('a replacement without content is refused, and the history stays', async () => {
  const session = await talk('one', 'two', 'three');
  await session.append({ kind: 'note', data: 'aside' });
  const range = { from: 1, to: 4 };
  const blank = { role: 'user', content: '' };
  const givens = [
    ...[undefined, null, 5, true, '', ' \n', [], {}, blank].map((made) => ({ ...range, summary: made })),
    { ...range, summary: blank, dialect: 'anthropic-messages' },
    range,
    ...['x', null, {}, [], [null], ['x'], [{}], [{ seq: 77 }], [{ seq: 0 }], [{ seq: '1' }]].map((messages) => ({
      ...range,
      messages,
    })),
    // A note is not a message, so nothing would be left.
    { ...range, messages: [{ seq: 4 }] },
    { ...range, messages: [{ wire: undefined }] },
    { ...range, messages: [{ wire: 'S' }, { wire: 5 }] },
    { ...range, messages: [{ wire: blank }] },
    { ...range, summary: 'S', dialect: 5 },
  ];
  for (const given of givens) {
    expect([given, await outcomeOf(session, () => session.compact(odd(given)))]).toEqual([given, ['unsupported', 0]]);
  }
  const returned = [undefined, null, 5, {}, [], '', ' ', [undefined], [null], [5], [''], [[]], [blank], [{}]];
  for (const value of returned) {
    const work = (): Promise<unknown> => session.compact(odd<Shorten>(() => value));
    expect([value, await outcomeOf(session, work)]).toEqual([value, ['unsupported', 0]]);
  }
  for (const options of [null, 5, { dialect: 5 }, { dialect: 'klingon' }, { expect: -1 }]) {
    const work = (): Promise<unknown> => session.compact((list) => list.slice(1), odd(options));
    expect([options, await outcomeOf(session, work)]).toEqual([options, ['unsupported', 0]]);
  }
  expect(await textOf(session)).toBe('one two three');
});

test('a string from a function is a summary of everything, like a given string', async () => {
  const [one, two] = [await talk('one', 'two', 'three'), await talk('one', 'two', 'three')];
  await one.compact(() => 'all of it');
  await two.compact({ from: 1, to: 3, summary: 'all of it' });
  const wanted = [{ role: 'user', content: [{ type: 'text', text: 'all of it' }] }];
  expect([await listOf(one), await listOf(two)]).toEqual([wanted, wanted]);
});

test('an error thrown by the function reaches the caller, and nothing is written', async () => {
  const session = await talk('one', 'two');
  const own = new RangeError('the model is away');
  const work = (): Promise<unknown> => session.compact(() => Promise.reject(own));
  expect(await outcomeOf(session, work)).toEqual([own, 0]);
});

test('an append during a compaction is a conflict, and unseen records are not covered', async () => {
  const session = await talk('one', 'two', 'three');
  const work = session.compact(async (list) => {
    await session.append(message('assistant', 'four'));
    return [summary('S'), ...list.slice(-1)];
  });
  const code = await work.catch((error: unknown) => (error instanceof StoreError ? error.code : error));
  expect([code, await textOf(session)]).toEqual(['conflict', 'one two three four']);
});

/** Not mended yet: a result and a prompt of one pydantic-ai request change places when another dialect reads them. */
const OUT_OF_ORDER = new Set([35]);

test('the history after a compaction is what the function returned, in random sessions, and is undoable', async () => {
  const store = await open('memory:');
  let compacted = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    if (OUT_OF_ORDER.has(seed)) continue;
    const random = startRandom(seed);
    for (const session of await randomSessions(store, seed)) {
      // Pins would bring messages back, so they are removed first.
      for (const { kind, data } of await session.load()) {
        if (kind === 'pin') await session.unpin((data as { seq: number }).seq);
      }
      const unpinned = shown(await listOf(session));
      let wanted: readonly unknown[] = [];
      const head = await session.compact((list) => {
        const made = list.flatMap((wire, index) => {
          if (random.chance(3)) return [];
          return random.chance(5) ? [{ ...(list[0] as object), made: index }, wire] : [wire];
        });
        return (wanted = made.length === 0 ? list.slice(-1) : made);
      });
      if (head === undefined) continue;
      compacted += 1;
      const name = `seed ${seed}, session ${session.id}`;
      const read = new Set((await session.load()).map(({ data }) => (data as { dialect?: unknown } | null)?.dialect));
      const dialect = (await session.project())?.dialect as Dialect;
      // Adjacent messages of another dialect may be merged differently but say the same.
      const show = [...read].filter((each) => typeof each === 'string').length > 1 ? said : shown;
      expect(`${name} ${show(await listOf(session), dialect)}`).toBe(`${name} ${show(wanted, dialect)}`);
      await session.uncompact();
      expect(`${name} ${shown(await listOf(session))}`).toBe(`${name} ${unpinned}`);
    }
  }
  expect(compacted).toBeGreaterThan(50);
});

const asCall = (callId: string): { kind: string; data: unknown } => ({
  kind: 'message',
  data: {
    dialect: 'anthropic-messages',
    wire: { role: 'assistant', content: [{ type: 'tool_use', id: callId, name: 'look', input: {} }] },
  },
});

const times = async (session: Session, words: string): Promise<number> =>
  JSON.stringify(await listOf(session)).split(words).length - 1;

test('a pinned result appears once after a compaction that keeps it, and after the next', async () => {
  const session = await talk('one', 'two', 'three');
  await session.append([asCall('toolu_1'), { kind: 'call.settled', data: { callId: 'toolu_1', text: 'the result' } }]);
  await session.append([message('assistant', 'seen'), message('user', 'four')]);
  await session.pin(5);
  await session.compact((list) => [summary('S'), ...list.slice(3, 5), ...list.slice(6)]);
  expect(await newest(session)).toMatchObject({ messages: [{ wire: summary('S') }, { seq: 4 }, { seq: 5 }] });
  expect(await times(session, 'the result')).toBe(1);
  await session.compact((list) => [summary('T'), ...list.slice(1, 3), ...list.slice(4)]);
  expect(await times(session, 'the result')).toBe(1);
  await session.unpin(5);
  await session.compact(() => [summary('U')]);
  expect(await times(session, 'the result')).toBe(0);
});

test('a message that another dialect splits stays whole, as its own record, once', async () => {
  const session = await talk('one', 'two', 'three');
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'the result' };
  const wire = { role: 'user', content: [result, { type: 'text', text: 'the question' }] };
  await session.append([asCall('toolu_1'), { kind: 'message', data: { dialect: 'anthropic-messages', wire } }]);
  await session.append(message('assistant', 'seen'));
  await session.pin(5);
  const given: unknown[] = [];
  await session.compact(
    (list) => {
      given.push(...list);
      return [{ role: 'user', content: 'S' }, ...list.slice(3, 6)];
    },
    { dialect: 'openai-chat' },
  );
  expect(given).toHaveLength(7);
  expect(await newest(session)).toMatchObject({
    messages: [{ wire: { role: 'user', content: 'S' } }, { seq: 4 }, { seq: 5 }],
    dialect: 'openai-chat',
  });
  expect([await times(session, 'the result'), await times(session, 'the question')]).toEqual([1, 1]);
});
