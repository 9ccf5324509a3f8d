import type { Reading } from './measure.ts';

/** A bar is judged against the ratio of ours to the peer; without a peer, or with `alone`, against our number. */
type Target = {
  readonly id: string;
  readonly what: string;
  readonly unit?: string;
  /** What the second number of the row is. */
  readonly peer?: string;
  readonly most?: number;
  readonly least?: number;
  readonly alone?: true;
};

const parse = { peer: 'JSON.parse', unit: 'ms' } as const;
/** An exponent that may exceed that of JSON.parse by 0.15, between two sizes of which one is ten times the other. */
const growth = 10 ** 0.15;
const storeGrowth = 10 ** 0.05;

/** Every row of the benchmark with its bar. A row without a bar is shown for comparison. */
export const targets = {
  checkFresh: { id: 'T1', what: 'check, right after parsing', ...parse, most: 0.2 },
  checkSettled: { id: 'T1', what: 'check, settled', ...parse, most: 0.15 },
  checkWalk: { id: 'T1', what: 'check, settled', peer: 'one walk over the same objects', unit: 'ms' },
  repairFresh: { id: 'T2', what: 'repair, right after parsing', ...parse, most: 0.5 },
  repairSettled: { id: 'T2', what: 'repair, settled', ...parse, most: 0.3 },
  refusals: { id: 'T2', what: 'refusals left by repair', peer: 'refusals before', most: 0, alone: true },
  mergeRuns: { id: 'T2', what: 'langchain mergeMessageRuns', ...parse },
  mergeRunsLeft: { id: 'T2', what: 'refusals left by mergeMessageRuns', peer: 'refusals before' },
  cleanFresh: { id: 'T3', what: 'clean repair, right after parsing', ...parse, most: 0.2 },
  cleanSettled: { id: 'T3', what: 'clean repair, settled', ...parse, most: 0.15 },
  cleanCopies: { id: 'T3', what: 'clean repairs that return another array', most: 0 },
  cleanBytes: { id: 'T3', what: 'clean repair allocates a message', unit: 'B', most: 1 },
  visits: { id: 'T4', what: 'visits a message', peer: 'passes + 1', most: 1 },
  checkGrowth: { id: 'T4', what: 'check over JSON.parse, 100k', peer: 'the same at 10k', most: growth },
  repairGrowth: { id: 'T4', what: 'repair over JSON.parse, 100k', peer: 'the same at 10k', most: growth },
  firstCall: { id: 'T4', what: 'first call of a process', ...parse, most: 0.75 },
  turnChecked: { id: 'T5', what: 'one appended turn, checked', unit: 'µs', most: 5 },
  turnRepaired: { id: 'T5', what: 'one appended turn, repaired', unit: 'µs', most: 10 },
  turnLong: { id: 'T5', what: 'one turn after 1M messages', peer: 'after 100', unit: 'µs', most: 1.2 },
  codecFresh: { id: '2×T1', what: 'decode, verify, encode, right after parsing', ...parse, most: 0.4 },
  codecSettled: { id: '2×T1', what: 'decode, verify, encode, settled', ...parse, most: 0.3 },
  compact: { id: 'T6', what: 'compact to 128k tokens, settled', ...parse, most: 0.15 },
  trimMessages: { id: 'T6', what: 'langchain trimMessages', peer: 'compact', unit: 'ms' },
  estimate: { id: 'T7', what: 'estimate, MB a second', peer: 'tokenx', least: 5 },
  estimateExact: { id: 'T7', what: 'estimate, MB a second', peer: 'gpt-tokenizer' },
  errorLow: { id: 'T7', what: 'error of the estimate, p1', peer: 'tokenx', unit: '%', least: -15, alone: true },
  errorHigh: { id: 'T7', what: 'error of the estimate, p99', peer: 'tokenx', unit: '%', most: 15, alone: true },
  oneSymbol: { id: 'T7', what: 'estimate of one symbol', unit: 'ms', most: 150 },
  appendOne: { id: 'T8', what: 'one writer, a second', peer: 'raw write + fdatasync', least: 0.6 },
  appendSqlite: { id: 'T8', what: 'one writer, a second', peer: 'SQLite, synchronous FULL', least: 1 },
  groupRaw64: { id: 'T9', what: 'group commit, a second', peer: 'raw write + fdatasync', least: 15 },
  groupRaw256: { id: 'T9', what: 'group commit, a second', peer: 'raw write + fdatasync', least: 12 },
  groupSqlite: { id: 'T9', what: 'group commit, a second', peer: 'SQLite, a transaction a tick', least: 1 },
  groupWait: { id: 'T9', what: 'group commit, usual wait', peer: 'raw write + fdatasync', unit: 'ms', most: 4 },
  stall: { id: 'T10', what: 'longest stall, 10 ms syncs', peer: 'idle', unit: 'ms', most: 5, alone: true },
  insertOne: { id: 'T11', what: 'PostgreSQL, one session, a second', peer: 'plain INSERT', least: 0.6 },
  insertMany: { id: 'T11', what: 'PostgreSQL, 64 sessions, a second', peer: 'an INSERT each', least: 3 },
  insertWait: { id: 'T11', what: 'PostgreSQL, 64 sessions, p99', peer: 'INSERT', unit: 'ms', most: 10, alone: true },
  logBytes: { id: 'T12', what: 'kB of a session', peer: '1.10 × JSON lines + 32 B a record', most: 1 },
  logTime: { id: 'T12', what: 'writing a session', peer: 'JSON lines + fdatasync', unit: 'ms', most: 1.2 },
  bytesGrowth: { id: 'T12', what: 'bytes a step', peer: 'with a tenth of the steps', most: storeGrowth },
  timeGrowth: { id: 'T12', what: 'time over JSON lines', peer: 'with a tenth of the steps', most: storeGrowth },
  langgraphBytes: { id: 'T12', what: 'LangGraph SqliteSaver, kB', peer: 'JSON lines' },
  langgraphTime: { id: 'T12', what: 'LangGraph SqliteSaver', peer: 'JSON lines + fdatasync', unit: 'ms' },
  resumeWarm: { id: 'T13', what: 'open + last 200, warm', unit: 'ms', most: 10 },
  resumeCold: { id: 'T13', what: 'open + last 200, cold', unit: 'ms', most: 25 },
  resumeLong: { id: 'T13', what: 'open + last 200', peer: 'of 1k messages', unit: 'ms', most: 1.5 },
  verify: { id: 'T14', what: 'verified open', peer: 'scan + crc32', unit: 'ms', most: 1.3 },
  stream: { id: 'T15', what: 'stream + pairing', peer: 'scan + JSON.parse + pairing', unit: 'ms', most: 1.25 },
  streamMemory: { id: 'T15', what: 'memory of it', unit: 'MB', most: 48 },
  load: { id: 'T16', what: 'load all', peer: 'scan + JSON.parse, keep all', unit: 'ms', most: 1.15 },
  loadMemory: { id: 'T16', what: 'memory of it', peer: 'bytes of the file', unit: 'MB', most: 1.5 },
  dependencies: { id: 'T17', what: 'third-party runtime dependencies', most: 0 },
  importTime: { id: 'T17', what: 'import of core + store', peer: 'ai', unit: 'ms', most: 40, alone: true },
  importMemory: { id: 'T17', what: 'import of core + store', peer: 'ai', unit: 'MB', most: 10, alone: true },
  bundleDetect: { id: 'T17', what: 'bundle of detectDialect', unit: 'kB', most: 60 },
  bundleRepair: { id: 'T17', what: 'bundle of check + repair', unit: 'kB', most: 450 },
  judgeSplit: { id: 'T18', what: 'judged, MB a second', peer: 'read and split into lines', least: 0.35 },
  judgeParse: { id: 'T18', what: 'judged, MB a second', peer: 'JSON.parse of each line', least: 0.8 },
  judgeMemory: { id: 'T18', what: 'memory of it', unit: 'MB', most: 300 },
  headBytes: { id: 'T19', what: 'read of each file', unit: 'KiB', most: 64 },
  firstRow: { id: 'T19', what: 'first session found', unit: 'ms', most: 300 },
  listAgain: { id: 'T19', what: 'listing', peer: 'again, nothing changed', unit: 'ms', least: 5 },
  firstLine: { id: 'T20', what: 'rethread to its first line', peer: 'node -e 0', unit: 'ms', most: 3 },
  judged: { id: 'sim', what: 'judged requests a second', peer: 'a server that only parses', least: 0.5 },
  proxyFirstByte: { id: 'T22', what: 'added to the first byte', peer: '2 ms + check', unit: 'ms', most: 1 },
  proxyStream: { id: 'T22', what: 'MB a second', peer: 'a bare node:http pipe', least: 0.9 },
  recovery: { id: 'agent', what: 'recovery after a crash', ...parse, most: 50, alone: true },
  nextRequest: { id: 'agent', what: 'from a crash to the next request', ...parse, most: 50, alone: true },
  events: { id: 'agent', what: 'events, recorded before shown', peer: 'without the loop', unit: 'ms' },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

/** A miss of less than a tenth is noise on a busy machine. */
type Verdict = 'held' | 'close' | 'missed' | 'shown';

export type Row = {
  id: string;
  what: string;
  on: string;
  unit: string;
  ours: number;
  peer?: number;
  ratio?: number;
  bar?: { sense: 'most' | 'least'; value: number };
  verdict: Verdict;
};

/** Holds a reading against its bar. */
export function toRow({ target, on, ours, peer }: Reading): Row {
  const { id, what, peer: against, unit = '', most, least, alone }: Target = targets[target];
  const row = { id, what: against === undefined ? what : `${what} / ${against}`, on, unit, ours };
  const ratio = peer === undefined ? undefined : ours / peer;
  const value = alone === true || ratio === undefined ? ours : ratio;
  const compared = peer === undefined ? row : { ...row, peer, ratio: ours / peer };
  if (most !== undefined) {
    const verdict = value <= most ? 'held' : value <= most * 1.1 ? 'close' : 'missed';
    return { ...compared, bar: { sense: 'most', value: most }, verdict };
  }
  if (least === undefined) return { ...compared, verdict: 'shown' };
  // The tolerance of a negative bar lies below it, too.
  const verdict = value >= least ? 'held' : value >= least - Math.abs(least) * 0.1 ? 'close' : 'missed';
  return { ...compared, bar: { sense: 'least', value: least }, verdict };
}
