import type { AppendTimings } from './append.ts';
import type { BenchDialect } from './dialects.ts';
import type { HistoryTimings } from './history-timings.ts';
import type { ImportCost, ImportCosts } from './import-cost.ts';
import type { CodecTimings, InMemoryTimings } from './in-memory-timings.ts';
import type { Sample } from './measure.ts';
import type { MemoryUse } from './memory.ts';
import type { PeerTimings } from './peers.ts';
import type { VisitCount, Visits } from './visits.ts';

/** The very first call in a process, beside the first JSON.parse. */
export type FirstCall = { parseMs: number; callMs: number };

export type Measurements = {
  histories: HistoryTimings[];
  memory: MemoryUse[];
  visits: Visits[];
  firstCalls: { dialect: BenchDialect; messages: number; state: 'clean' | 'broken'; calls: FirstCall[] }[];
  inMemory: InMemoryTimings[];
  /** What does not hang on a dialect; absent from a run for chosen dialects. */
  rest?: { append: AppendTimings; imports: ImportCosts; peers: PeerTimings };
};

export type TargetId =
  | 'T1'
  | 'T2'
  | 'T3'
  | 'T4'
  | 'T5'
  | 'T6'
  | 'T7'
  | 'T8'
  | 'T9'
  | 'T10'
  | 'T11'
  | 'T12'
  | 'T13'
  | 'T14'
  | 'T15'
  | 'T16'
  | 'T17'
  | 'agent'
  | 'flat'
  | '2 × T1'
  | 'list'
  | 'SQLite'
  | 'sim';
export type Unit =
  | '× JSON.parse'
  | '× floor'
  | '× ai'
  | 'exponent'
  | 'visits'
  | 'µs'
  | 'quotient'
  | 'ms'
  | 'MB'
  | 'kB'
  | 'B'
  | '%'
  | '';

/** One value that was measured, with the words that tell it from the others of its target. */
export type Reading = { on: string; value: number; bar?: number };

/** A promise about speed or memory: a reading above the bar is a miss. */
export type Target = {
  id: TargetId;
  what: string;
  unit: Unit;
  /** The most that is allowed; absent where a value is shown but nothing is promised. */
  bar?: number;
  read: (measured: Measurements) => Reading[];
};

const onHistory = ({ dialect, messages }: HistoryTimings): string => `${dialect} ${count(messages)}`;

export function count(messages: number): string {
  return messages >= 1e6 ? `${messages / 1e6}M` : messages >= 1e3 ? `${messages / 1e3}k` : String(messages);
}

/** Ratios of minima: on a busy machine they repeat, and medians do not. */
function perHistory(value: (history: HistoryTimings) => number): Target['read'] {
  return ({ histories }) => histories.map((history) => ({ on: onHistory(history), value: value(history) }));
}

function perInMemory(state: 'firstTouch' | 'settled', work: keyof CodecTimings): Target['read'] {
  return ({ inMemory }) =>
    inMemory.map((timings) => ({
      on: `${timings.dialect} ${count(timings.messages)}`,
      value: ratio(timings[state][work], timings.parse),
    }));
}

type Rest = NonNullable<Measurements['rest']>;

function withRest(read: (rest: Rest) => Reading[]): Target['read'] {
  return ({ rest }) => (rest === undefined ? [] : read(rest));
}

/** The bars of T1, for a check on objects that were just parsed and on settled ones. */
const firstTouchBar = 0.15;
const settledBar = 0.12;

const ratio = (sample: Sample, base: Sample): number => sample.min / base.min;

export const targets: readonly Target[] = [
  {
    id: 'T1',
    what: 'check, first touch',
    unit: '× JSON.parse',
    bar: firstTouchBar,
    read: perHistory((history) => ratio(history.firstTouch.check, history.parse)),
  },
  {
    id: 'T1',
    what: 'check, settled',
    unit: '× JSON.parse',
    bar: settledBar,
    read: perHistory((history) => ratio(history.settled.check, history.parse)),
  },
  {
    id: 'T1',
    what: 'check, first touch, over pairingCheck',
    unit: '× floor',
    bar: 2.5,
    read: perHistory(({ firstTouch }) => ratio(firstTouch.check, firstTouch.pairingCheck)),
  },
  {
    // Settled, the floor reads a few words a message from a warm cache; that quotient says little, so it has no bar.
    id: 'T1',
    what: 'check, settled, over pairingCheck',
    unit: '× floor',
    read: perHistory(({ settled }) => ratio(settled.check, settled.pairingCheck)),
  },
  {
    id: 'T2',
    what: 'repair, settled',
    unit: '× JSON.parse',
    bar: 0.25,
    read: perHistory((history) => ratio(history.settled.repair, history.parse)),
  },
  {
    id: 'T2',
    what: 'repair, right after parse',
    unit: '× JSON.parse',
    bar: 0.4,
    read: perHistory((history) => ratio(history.firstTouch.repair, history.parse)),
  },
  {
    id: 'T2',
    what: 'repair, settled, over minimalRepair with its checks',
    unit: '× floor',
    bar: 3,
    read: perHistory(({ settled }) => ratio(settled.repair, settled.minimalRepair)),
  },
  {
    id: 'T2',
    what: 'faults left by repair',
    unit: '',
    bar: 0,
    read: ({ histories }) =>
      histories.map((history) => ({
        on: `${onHistory(history)}, of ${history.faults.before}`,
        value: history.faults.afterRepair,
      })),
  },
  {
    id: 'T3',
    what: 'clean repair that returns another array',
    unit: '',
    bar: 0,
    read: perHistory(({ clean }) => (clean.sameArray ? 0 : 1)),
  },
  {
    id: 'T3',
    what: 'clean repair, first touch',
    unit: '× JSON.parse',
    bar: firstTouchBar,
    read: perHistory(({ clean }) => ratio(clean.firstTouch, clean.parse)),
  },
  {
    id: 'T3',
    what: 'clean repair, settled',
    unit: '× JSON.parse',
    bar: settledBar,
    read: perHistory(({ clean }) => ratio(clean.settled, clean.parse)),
  },
  {
    id: 'T3',
    what: 'clean repair allocates',
    unit: 'kB',
    bar: 64,
    read: ({ memory }) =>
      memory.flatMap((use) => [
        { on: `${use.dialect} ${count(use.small)}`, value: use.cleanSmall / 1_000 },
        { on: `${use.dialect} ${count(use.large)}`, value: use.cleanLarge / 1_000 },
      ]),
  },
  {
    // Less than one byte a message is the noise of the heap counters: no object is that small.
    id: 'T3',
    what: 'clean repair allocates a message',
    unit: 'B',
    bar: 1,
    read: ({ memory }) =>
      memory.map(({ dialect, small, large, cleanSmall, cleanLarge }) => ({
        on: `${dialect} ${count(small)} to ${count(large)}`,
        value: Math.max(0, (cleanLarge - cleanSmall) / (large - small)),
      })),
  },
  {
    id: 'T4',
    what: 'visits a message, at most passes + 1',
    unit: 'visits',
    read: ({ visits }) =>
      visits.flatMap(({ dialect, messages, check, repair }) => {
        const reading = (work: string, { perMessage, passes }: VisitCount): Reading => {
          return { on: `${work} ${dialect} ${count(messages)}`, value: perMessage, bar: passes + 1 };
        };
        return [reading('check', check), reading('repair', repair)];
      }),
  },
  {
    id: 'T4',
    what: 'growth over that of JSON.parse, first touch',
    unit: 'exponent',
    bar: 0.15,
    read: (measured) => readGrowth(measured, 'firstTouch'),
  },
  {
    // Settled, the smaller history fits into the processor's cache and the larger does not: the floor grows as well.
    id: 'T4',
    what: 'growth over that of JSON.parse, settled',
    unit: 'exponent',
    read: (measured) => readGrowth(measured, 'settled'),
  },
  {
    id: 'T4',
    what: 'first call in a fresh process, clean history',
    unit: '× JSON.parse',
    bar: 0.5,
    read: (measured) => readFirstCalls(measured, 'clean'),
  },
  {
    // Most of this is V8 reading the rules that are woken for the first time, whatever the length of the history.
    id: 'T4',
    what: 'first call in a fresh process, broken history',
    unit: '× JSON.parse',
    read: (measured) => readFirstCalls(measured, 'broken'),
  },
  {
    // A framework's own shapes are read and written at no more than twice the bar of a check on the wire.
    id: '2 × T1',
    what: 'decode, verify and encode, first touch',
    unit: '× JSON.parse',
    bar: 2 * firstTouchBar,
    read: perInMemory('firstTouch', 'both'),
  },
  {
    id: '2 × T1',
    what: 'decode, verify and encode, settled',
    unit: '× JSON.parse',
    bar: 2 * settledBar,
    read: perInMemory('settled', 'both'),
  },
  {
    id: '2 × T1',
    what: 'decode alone, settled',
    unit: '× JSON.parse',
    read: perInMemory('settled', 'decode'),
  },
  {
    id: '2 × T1',
    what: 'verify and encode alone, settled',
    unit: '× JSON.parse',
    read: perInMemory('settled', 'encode'),
  },
  {
    id: 'T5',
    what: 'one appended turn, checked',
    unit: 'µs',
    bar: 5,
    read: withRest(({ append }) => [
      { on: `after ${count(append.short)} messages`, value: append.afterShort.min },
      { on: `after ${count(append.long)} messages`, value: append.afterLong.min },
    ]),
  },
  {
    id: 'T5',
    what: 'one appended turn, long history over short',
    unit: 'quotient',
    bar: 1.2,
    read: withRest(({ append }) => [
      {
        on: `${count(append.long)} over ${count(append.short)}`,
        value: ratio(append.afterLong, append.afterShort),
      },
    ]),
  },
  {
    id: 'T5',
    what: 'one appended turn, repaired',
    unit: 'µs',
    bar: 10,
    read: withRest(({ append }) => [{ on: 'one call unanswered', value: append.repair.min }]),
  },
  {
    id: 'T17',
    what: 'runtime dependencies',
    unit: '',
    bar: 0,
    read: withRest(({ imports }) => [{ on: '@rethread/core', value: imports.runtimeDependencies }]),
  },
  {
    id: 'T17',
    what: 'import, over an empty module',
    unit: 'ms',
    bar: 40,
    read: withRest(({ imports }) => imports.ours.map(({ name, ms }) => ({ on: name, value: ms }))),
  },
  {
    id: 'T17',
    what: 'memory of the import, over an empty module',
    unit: 'MB',
    bar: 10,
    read: withRest(({ imports }) => imports.ours.map(({ name, rssMegabytes }) => ({ on: name, value: rssMegabytes }))),
  },
  {
    // The bars above were set on a machine where importing ai takes 105 ms and 23 MB; these are the same on any other.
    id: 'T17',
    what: 'import, time',
    unit: '× ai',
    bar: 40 / 105,
    read: withRest(({ imports }) => timesPeer(imports, ({ ms }) => ms)),
  },
  {
    id: 'T17',
    what: 'import, memory',
    unit: '× ai',
    bar: 10 / 23,
    read: withRest(({ imports }) => timesPeer(imports, ({ rssMegabytes }) => rssMegabytes)),
  },
  {
    // Compiled code still trickles in; a hundred bytes kept by each repair would be more than the bar.
    id: 'flat',
    what: 'memory kept after many repairs',
    unit: 'kB',
    bar: 64,
    read: ({ memory }) =>
      memory.map(({ dialect, repairs, growth }) => ({
        on: `${dialect}, ${count(repairs)} repairs`,
        value: Math.max(0, growth) / 1_000,
      })),
  },
];

function timesPeer({ ours, peers }: ImportCosts, pick: (cost: ImportCost) => number): Reading[] {
  const peer = peers.filter(({ name }) => name === 'ai').map(pick);
  return ours.map((cost) => ({ on: cost.name, value: pick(cost) / (peer[0] ?? Number.NaN) }));
}

/** Exponents of the medians between the two largest sizes, less the exponent of JSON.parse on the same bytes. */
function readGrowth({ histories }: Measurements, state: 'firstTouch' | 'settled'): Reading[] {
  return histories.flatMap((large) => {
    const small = histories.find((other) => other.dialect === large.dialect && other.messages * 10 === large.messages);
    if (small === undefined || large.messages < 100_000) return [];
    const exponent = (pick: (history: HistoryTimings) => Sample): number => {
      return Math.log(pick(large).median / pick(small).median) / Math.log(large.entries / small.entries);
    };
    const parse = exponent((history) => history.parse);
    const on = (work: string): string =>
      `${work} ${large.dialect} ${count(small.messages)} to ${count(large.messages)}`;
    return [
      { on: on('check'), value: exponent((history) => history[state].check) - parse },
      { on: on('repair'), value: exponent((history) => history[state].repair) - parse },
      ...(state === 'settled'
        ? [{ on: on('pairingCheck'), value: exponent(({ settled }) => settled.pairingCheck) - parse }]
        : []),
    ];
  });
}

function readFirstCalls({ firstCalls }: Measurements, wanted: 'clean' | 'broken'): Reading[] {
  return firstCalls
    .filter(({ state }) => state === wanted)
    .map(({ dialect, messages, calls }) => ({
      on: `${dialect} ${count(messages)}`,
      value: Math.min(...calls.map(({ callMs }) => callMs)) / Math.min(...calls.map(({ parseMs }) => parseMs)),
    }));
}
