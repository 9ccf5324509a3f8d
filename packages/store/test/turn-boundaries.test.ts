import { cuts, projectWithSources } from '@rethread/core';
import { type NewRecord, type Session, open } from '@rethread/store';
import { expect, test } from 'vitest';

import { type Random, startRandom } from '../../core/test/fuzz/random.ts';
import { toSessionRecord } from '../src/record.ts';

const dialect = 'openai-chat';
const message = (role: string, content: unknown, more: object = {}): NewRecord => ({
  kind: 'message',
  data: { dialect, wire: { role, content, ...more } },
});
const call = (...ids: readonly string[]): NewRecord =>
  message('assistant', null, {
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
  });
const result = (id: string): NewRecord => message('tool', 'seen', { tool_call_id: id });
const settled = (callId: string): NewRecord => ({ kind: 'call.settled', data: { callId, text: 'seen' } });
const started = (callId: string): NewRecord => ({ kind: 'call.started', data: { callId } });
const back = (to: number): NewRecord => ({ kind: 'revert', data: { to } });
const state: NewRecord = { kind: 'state', data: { state: 'idle' } };
const [user, answer] = [message('user', 'Look.'), message('assistant', 'Done.')];
const system = message('system', 'Be brief.');
const summary = message(
  'user',
  '[Summary of the earlier conversation]\nIt stands for messages 0 to 3.\n\n## Goal\n- x',
);
const context = message('user', '<system-reminder>It is late.</system-reminder>');

async function written(...records: readonly NewRecord[]): Promise<Session> {
  const session = await (await open('memory:')).create();
  await session.append(records);
  return session;
}

/** The first record of every page but the oldest. */
async function beginnings(session: Session, minRecords: number): Promise<number[]> {
  const found: number[] = [];
  for (let before: number | undefined; ;) {
    const page = await session.page({ minRecords, ...(before === undefined ? {} : { before }) });
    before = page.before;
    if (before === undefined) return found.toReversed();
    expect([page.records[0]?.seq, page.records.length >= minRecords]).toEqual([before, true]);
    found.push(before);
  }
}

test.each<readonly [string, readonly NewRecord[], readonly number[]]>([
  ['between turns', [user, answer, user, answer], [3]],
  ['never between a call and a later result', [user, call('a'), user, result('a'), answer], []],
  ['never inside such a batch', [user, call('a', 'b'), settled('b'), user, settled('a'), user, answer], [6]],
  [
    'before text that a program has put in front of a user message',
    [user, answer, context, context, user, answer],
    [3],
  ],
  ['not before a text of a program alone', [user, call('a'), settled('a'), context, answer], []],
  ['behind a call that started and was never settled', [user, call('a'), started('a'), user, answer], [4]],
  ['next to records outside the conversation', [state, user, state, answer, state, state, user, state], [7]],
])('a page starts %s', async (_, records, expected) => {
  expect(await beginnings(await written(...records), 1)).toEqual(expected);
});

const pieces: readonly ((random: Random, id: string) => readonly NewRecord[])[] = [
  () => [user],
  () => [context],
  () => [answer],
  () => [state],
  (_, id) => [call(id), started(id), settled(id)],
  (_, id) => [call(id), result(id)],
  (_, id) => [call(id, `${id}b`), settled(`${id}b`), settled(id)],
  (_, id) => [call(id), user, settled(id)],
  (_, id) => [call(id), started(id)],
];

test('pages of random logs start exactly where core would divide the whole log', async () => {
  let places = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = startRandom(seed);
    const count = random.between(1, 30);
    const isOdd = random.chance(3);
    const piece = (): (typeof pieces)[number] =>
      isOdd && random.chance(8) ? () => [random.pick([system, summary])] : random.pick(pieces);
    const records = Array.from({ length: count }, (_, index) => piece()(random, `c${index}`)).flat();
    // A user message at the end, so that no call is waiting.
    const session = await written(user, ...records, user, answer);
    const history = projectWithSources((await session.load()).map(toSessionRecord));
    const all = history === undefined ? [] : cuts(history).map((index) => history.sources[index] ?? Infinity);
    const expected = all.filter((seq) => seq > 1 && seq !== Infinity);
    // After a system message, and before summaries behind open calls, a page could start but does not.
    if (!isOdd) expect([seed, await beginnings(session, 1)]).toEqual([seed, expected]);
    const rare = await beginnings(session, random.between(2, 9));
    expect(expected).toEqual(expect.arrayContaining(rare));
    places += expected.length;
  }
  expect(places).toBeGreaterThan(500);
});

test('a page reads no more than it needs', async () => {
  const session = await written(...Array.from({ length: 500 }, () => [user, answer, state]).flat());
  const { records, before } = await session.page({ minRecords: 30 });
  expect([records.length, before]).toEqual([30, 1471]);
});

test.each<readonly [string, readonly NewRecord[], readonly number[]]>([
  ['the end of a turn', [user, answer, user, answer], [0, 2, 2]],
  ['before the turn with a late result', [user, answer, user, call('a'), user, settled('a')], [0, 2, 2, 2, 2]],
  [
    'before text that a program has put in front of a user message',
    [user, answer, context, user, answer],
    [0, 2, 2, 2],
  ],
  ['behind records outside the conversation', [user, answer, state, user, answer], [0, 2, 3, 3]],
  ['before the turn in which a call started', [user, answer, user, call('a'), started('a'), user], [0, 2, 2, 2, 5]],
  [
    'a turn in force at that time, whatever was reverted before and since',
    [user, answer, user, answer, user, answer, back(3), answer],
    [0, 2, 2, 4, 4, 6, 2],
  ],
  [
    'before a turn continued after an undone revert',
    [user, answer, user, call('a'), back(2), back(4), settled('a')],
    [0, 2, 2, 2, 5, 2],
  ],
])('a revert to a time returns to %s', async (_, records, expected) => {
  const environment = { now: () => Date.UTC(2026, 0, 1) + minutes * 60_000 };
  let minutes = 0;
  const session = await (await open('memory:', { environment })).create();
  for (const record of records) {
    minutes += 1;
    await session.append(record);
  }
  const found: unknown[] = [];
  for (let minute = 1; minute < records.length; minute += 1) {
    await session.revert({ to: new Date(Date.UTC(2026, 0, 1) + minute * 60_000) });
    const [newest] = await session.load({ backward: true, limit: 1 });
    found.push(newest?.data);
    await session.unrevert();
  }
  expect(found).toEqual(expected.map((to) => ({ to })));
});

test('a revert to a time after the newest record is refused, also in the year 10000', async () => {
  const session = await written(user, answer);
  for (const time of ['2999-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z']) {
    await expect(session.revert({ to: new Date(time) })).rejects.toMatchObject({
      code: 'missing',
      message: `session ${JSON.stringify(session.id)} has no record after ${time}: its newest record is 2`,
    });
  }
});
