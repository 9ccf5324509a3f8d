import { expect, test } from 'vitest';

import { type Notes, type Read, type Write, anomalies } from './history-checker.ts';

const write = (records: string[], at: number, more: Partial<Write> = {}): Write => ({
  writer: 'w',
  session: 's',
  records,
  began: at,
  ended: at + 1,
  outcome: 'acknowledged',
  ...more,
});

const read = (records: string[], at: number): Read => ({
  reader: 'r',
  session: 's',
  records,
  began: at,
  ended: at + 1,
});

const sound: Notes = {
  writes: [
    write(['a', 'b'], 0, { seq: 2 }),
    write(['c'], 10, { seq: 3, writer: 'v' }),
    write(['x'], 20, { outcome: 'refused' }),
    write(['y'], 30, { outcome: 'unknown' }),
    write(['d'], 40, { outcome: 'unknown' }),
  ],
  reads: [read([], -5), read(['a', 'b'], 5), read(['a', 'b', 'c'], 5), read(['a', 'b', 'c', 'd'], 50)],
  final: new Map([['s', ['a', 'b', 'c', 'd']]]),
};

const log = (...records: string[]): Notes['final'] => new Map([['s', records]]);

const broken: readonly [fault: string, notes: Notes, said: RegExp][] = [
  [
    'an acknowledged record is lost',
    { ...sound, final: log('a', 'b', 'd'), reads: [] },
    /c was acknowledged and is lost/,
  ],
  ['a record is there twice', { ...sound, final: log('a', 'b', 'c', 'c', 'd'), reads: [] }, /c is there twice/],
  ['half a batch is there', { ...sound, final: log('a', 'c', 'd'), reads: [] }, /part of its batch is missing/],
  ['a batch is divided', { ...sound, final: log('a', 'c', 'b', 'd'), reads: [] }, /stands between/],
  ['a refused record is there', { ...sound, final: log('a', 'b', 'c', 'x'), reads: [] }, /x was refused and is there/],
  [
    'a record has another number',
    { ...sound, final: log('y', 'a', 'b', 'c'), reads: [] },
    /acknowledged as 2 and stands at 3/,
  ],
  ['a record comes from nowhere', { ...sound, final: log('a', 'b', 'c', 'q'), reads: [] }, /nobody wrote q/],
  [
    'a writer is reordered',
    { ...sound, final: log('d', 'a', 'b', 'c'), reads: [] },
    /w wrote a before d|w wrote b before d/,
  ],
  [
    'a later write stands before an earlier one',
    { ...sound, final: log('c', 'a', 'b', 'd'), reads: [] },
    /was over before c began/,
  ],
  ['a reader sees another order', { ...sound, reads: [read(['a', 'c'], 5)] }, /read c where b stands/],
  ['a reader misses what was acknowledged', { ...sound, reads: [read(['a', 'b'], 15)] }, /read 2 records, 3 were/],
];

test('a valid history has no anomaly', () => {
  expect(anomalies(sound)).toEqual([]);
});

test.each(broken)('the checker notices that %s', (_, notes, said) => {
  expect(anomalies(notes).join('\n')).toMatch(said);
});
