import { judge } from '../../simulator/src/judges/judge.ts';
import { describe, expect, test } from 'vitest';

import { type SessionRecord, prepare, project, projectWithSources } from '../src/index.ts';
import { aiSdkModel, anthropic } from './words.ts';

const { say, user } = anthropic;

type Written = Omit<SessionRecord, 'v' | 'seq' | 'id' | 'at'> | { readonly kind: string; readonly data: unknown };

const log = (...written: readonly Written[]): SessionRecord[] =>
  written.map((record, index) => ({ v: 1, seq: index + 1, id: `r${index + 1}`, at: '', ...record }) as SessionRecord);

const dialect = 'anthropic-messages';
const message = (role: string, content: unknown): Written => ({
  kind: 'message',
  data: { dialect, wire: { role, content } },
});
const [one, two, three, four] = [
  message('user', 'one'),
  message('assistant', 'two'),
  message('user', 'three'),
  message('assistant', 'four'),
];
const revert = (to: unknown, undo?: number): Written => ({ kind: 'revert', data: { to, ...(undo ? { undo } : {}) } });
const covers = (from: number, to: number, summary: unknown): Written => ({
  kind: 'checkpoint',
  data: { from, to, summary, dialect },
});

/** The texts of the history, in their order. */
const texts = (...written: readonly Written[]): string =>
  (project(log(...written))?.messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : part.kind)))
    .join(' ');

describe('a revert', () => {
  test.each([
    ['hides what came between', [one, two, three, revert(2)], 'one two'],
    ['goes on with what comes after', [one, two, three, revert(1), four], 'one four'],
    ['to the beginning leaves nothing', [one, two, revert(0)], ''],
    ['to before a revert undoes it', [one, two, revert(1), revert(2, 3)], 'one two'],
    ['to before a revert leaves out what was written since', [one, two, revert(1), three, revert(2, 3)], 'one two'],
    ['to after a revert keeps it', [one, two, revert(1), three, four, revert(4)], 'one three'],
    ['that makes no sense changes nothing', [one, revert(7), revert(-1), revert('1'), revert(1.5), two], 'one two'],
  ])('%s', (_, written, expected) => {
    expect(texts(...written)).toBe(expected);
  });
});

describe('a checkpoint', () => {
  const undo = (seq: number): Written => ({ kind: 'checkpoint', data: { undo: seq } });
  const pin = (seq: number, pinned: boolean): Written => ({ kind: 'pin', data: { seq, pinned } });
  test.each([
    ['stands for its range', [one, two, three, covers(1, 2, 'S')], 'S three'],
    ['stands where its range was', [one, two, three, four, covers(2, 3, 'S')], 'one S four'],
    ['has a summary in the dialect', [one, two, covers(1, 1, user('W'))], 'W two'],
    [
      'gives way to a newer one that covers it',
      [one, two, three, covers(1, 2, 'S'), covers(0, 3, 'T'), four],
      'T four',
    ],
    ['stays beside one that covers something else', [one, two, three, covers(1, 1, 'S'), covers(2, 3, 'T')], 'S T'],
    ['is undone', [one, two, covers(1, 2, 'S'), undo(3)], 'one two'],
    ['that is undone leaves the one before', [one, two, covers(1, 1, 'S'), covers(1, 2, 'T'), undo(4)], 'S two'],
    ['comes back when its undoing is undone', [one, two, covers(1, 2, 'S'), undo(3), undo(4)], 'S'],
    ['goes with the revert that takes it back', [one, two, covers(1, 2, 'S'), revert(2)], 'one two'],
    ['keeps what is pinned', [one, two, three, pin(2, true), covers(1, 3, 'S')], 'S two'],
    ['keeps nothing that is no longer pinned', [one, two, pin(2, true), pin(2, false), covers(1, 2, 'S')], 'S'],
    ['that makes no sense changes nothing', [one, covers(2, 1, 'S'), covers(1, 9, 'S'), covers(-1, 1, 'S')], 'one'],
  ])('%s', (_, written, expected) => {
    expect(texts(...written)).toBe(expected);
  });

  test('is told as coming from the first record that it stands for', () => {
    expect(prepare(log(one, two, three, covers(1, 2, 'S'))).sources).toEqual([1, 3]);
  });

  test('may keep some of its range between what it made, once each and in any order', () => {
    const wire = user('W');
    const messages = [
      { wire },
      { seq: 3 },
      { seq: 3 },
      { seq: 9 },
      { seq: 'x' },
      null,
      7,
      {},
      { seq: 1 },
      { wire: 'T' },
    ];
    const kept = { kind: 'checkpoint', data: { from: 1, to: 3, messages, dialect } };
    expect(texts(one, two, three, four, kept)).toBe('W three one T four');
    expect(texts(one, two, three, four, pin(3, true), pin(2, true), kept)).toBe('W three one T two four');
    expect(prepare(log(one, two, three, four, kept)).sources).toEqual([1, 3, 1, 1, 4]);
    expect(texts(one, two, { kind: 'checkpoint', data: { from: 1, to: 1, messages: [], dialect } })).toBe('two');
  });
});

describe('a log', () => {
  test('without a message is no history', () => {
    expect(project(log({ kind: 'note', data: 1 }))).toBeUndefined();
  });

  test('may hold anything, and what is not understood changes nothing', () => {
    const odd = [null, 7, 'x', [], {}, { dialect: '__proto__', wire: 1 }];
    const kinds = ['call.settled', 'call.started', 'checkpoint', 'revert', 'pin', 'fork', 'repair', 'link', 'future'];
    const records = [one, ...kinds.flatMap((kind) => odd.map((data) => ({ kind, data }))), two];
    expect(texts(...records)).toBe('one two');
  });

  test('is read in its first known dialect, and other messages as far as they can be', () => {
    const unknown = { kind: 'message', data: { dialect: 'nobody', wire: user('odd') } };
    expect(project(log(unknown, one))?.dialect).toBe(dialect);
    expect(texts(unknown, one)).toBe('odd one');
  });

  test('tells that a call was started, and only while it has no result', () => {
    const call = message('assistant', [anthropic.call('toolu_1')]);
    const started = { kind: 'call.started', data: { callId: 'toolu_1' } };
    const settled = { kind: 'call.settled', data: { callId: 'toolu_1', text: 'done' } };
    const sent = (...more: readonly Written[]): string =>
      JSON.stringify(prepare(log(one, call, ...more)).sendable?.wire);
    expect(sent()).toContain('no result was recorded for this call');
    expect(sent(started)).toContain('this call was started and no result was recorded');
    expect(sent(started, settled)).toContain('done');
    expect(sent(started, settled)).not.toContain('this call was started');
  });
});

test('a session goes on in another dialect in its own words, and what is lost is told', () => {
  const call = message('assistant', [
    { type: 'thinking', thinking: 'hm', signature: 'x' },
    anthropic.call('toolu_1', 'read', { path: 'a' }),
  ]);
  const result = message('user', [anthropic.result('toolu_1', 'alpha')]);
  const { sendable, losses, report } = prepare(log(one, call, result), 'openai-chat');
  expect(sendable?.dialect).toBe('openai-chat');
  expect(JSON.stringify(sendable?.wire)).toContain('"tool_calls":[{"id":"toolu_1"');
  expect(losses?.map(({ kind }) => kind)).toEqual(['reasoning']);
  expect(judge('openai-chat', sendable?.wire)).toEqual([]);
  expect(report.verdict).not.toBe('broken');
  expect(prepare(log(one, call), 'openai-chat').sendable).toBeDefined();
});

describe('a settled call', () => {
  const dialect = 'ai-sdk-model';
  const wires = [user('Look.'), aiSdkModel.say(aiSdkModel.call('c1', 'look'))];
  const called = wires.map((wire): Written => ({ kind: 'message', data: { dialect, wire } }));
  const repairsOf = (tool: unknown): string[] => {
    const settled = { kind: 'call.settled', data: { callId: 'c1', text: 'seen', tool } };
    const { report } = prepare(log(...called, settled), { dialect, purpose: 'request' });
    return report.repairs.map(({ rule }) => rule);
  };

  test('that names its tool needs no repair in a dialect whose results carry the name', () => {
    expect(repairsOf('look')).toEqual([]);
  });

  test('without a name of its tool, or with one that is none, is repaired as before', () => {
    expect(repairsOf(undefined)).toEqual(['result-name-missing']);
    expect(repairsOf(7)).toEqual(['result-name-missing']);
  });
});

test('a projection tells which of its messages are pinned', () => {
  const pin = (seq: number, pinned: boolean): Written => ({ kind: 'pin', data: { seq, pinned } });
  const pinsIn = (...written: readonly Written[]): readonly number[] | undefined =>
    projectWithSources(log(...written))?.pins;
  expect(pinsIn(one, two, three)).toEqual([]);
  expect(pinsIn(one, two, three, pin(1, true), pin(3, true), pin(1, false))).toEqual([2]);
  expect(pinsIn(one, two, three, pin(2, true), covers(1, 2, 'S'))).toEqual([1]);
  expect(pinsIn(one, two, three, pin(2, true), revert(3))).toEqual([]);
});

describe('a log with something in it that is no record', () => {
  const strange = [null, 7, 'text', [], { kind: 'message' }, { seq: 1, kind: 'message', data: null }];

  test('is told without it', () => {
    const records = [...strange, ...log(one, two), ...strange] as unknown as SessionRecord[];
    const { sendable, report } = prepare(records, dialect);
    expect(report.verdict).toBe('clean');
    expect(sendable?.wire).toEqual([user('one'), say('two')]);
    expect(project(records)?.messages).toHaveLength(2);
  });

  test('is told as an empty one where nothing else is in it, or where it is no list', () => {
    for (const records of [strange, null, undefined, 'text', {}]) {
      expect(prepare(records as SessionRecord[], dialect).sendable?.wire).toEqual([]);
      expect(project(records as SessionRecord[])).toBeUndefined();
    }
  });
});
