import type { Loss } from '@rethread/core';
import type { StoredRecord } from '@rethread/store';

import type { StopKind } from './events.ts';
import { RECOVERED, type NoteData, type SettledData, type StateData } from './log-records.ts';
import type { State } from './states.ts';

type Counts<K extends string = string> = Partial<Record<K, number>>;

export type ToolStats = {
  readonly calls: number;
  readonly errors: number;
  /** Calls closed with an unknown outcome. */
  readonly unsettled: number;
  /** Results that arrived after their call was closed. */
  readonly late: number;
  readonly totalMs: number;
};

/** Statistics from the logs of sessions. */
export type Stats = {
  readonly sessions: number;
  readonly records: number;
  readonly turns: number;
  readonly requests: number;
  readonly retries: Counts;
  readonly fallbacks: Counts;
  readonly stops: Counts<StopKind | 'failed'>;
  readonly repairs: {
    readonly total: number;
    readonly byRule: Counts;
    /** How the run before the repair ended. */
    readonly byStop: Counts<StopKind | 'failed' | 'none'>;
    readonly byLoss: Counts<Loss>;
  };
  readonly tools: Readonly<Record<string, ToolStats>>;
  readonly recoveries: {
    readonly total: number;
    readonly totalMs: number;
    readonly longestMs: number;
    /** The states of recovered sessions, and their open calls. */
    readonly foundIn: Partial<Record<State, { readonly sessions: number; readonly unsettled: number }>>;
  };
  readonly compactions: number;
  /** Requests sent without repair, because it was turned off. */
  readonly unrepaired: number;
};

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

function emptyStats(): Mutable<Stats> {
  return {
    sessions: 0,
    records: 0,
    turns: 0,
    requests: 0,
    retries: {},
    fallbacks: {},
    stops: {},
    repairs: { total: 0, byRule: {}, byStop: {}, byLoss: {} },
    tools: {},
    recoveries: { total: 0, totalMs: 0, longestMs: 0, foundIn: {} },
    compactions: 0,
    unrepaired: 0,
  };
}

/** Reads session logs record by record, in constant memory. */
export async function statsOf(sessions: AsyncIterable<AsyncIterable<StoredRecord>>): Promise<Stats> {
  const stats = emptyStats();
  for await (const records of sessions) {
    stats.sessions += 1;
    const session = new SessionStats(stats);
    for await (const record of records) session.read(record);
  }
  return stats;
}

const count = <K extends string>(counts: Counts<K>, key: K): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

class SessionStats {
  readonly #stats: Mutable<Stats>;
  #turn = 0;
  #step = '';
  #stop: StopKind | 'failed' | 'none' = 'none';

  constructor(stats: Mutable<Stats>) {
    this.#stats = stats;
  }

  read({ kind, data }: StoredRecord): void {
    this.#stats.records += 1;
    if (typeof data !== 'object' || data === null) return;
    if (kind === 'state') this.#state(data);
    if (kind === 'note') this.#note(data as NoteData);
    if (kind === 'call.settled') this.#settled(data as SettledData);
    if (kind === 'repair') this.#repair(data);
    if (kind === 'checkpoint' && !('undo' in data)) this.#stats.compactions += 1;
  }

  #state({ state, turn = 0, step = 0, by, reason }: Partial<StateData>): void {
    if (turn > this.#turn) {
      this.#turn = turn;
      this.#stats.turns += 1;
    }
    const place = `${turn} ${step}`;
    if (state === 'awaiting-model' && place !== this.#step) {
      this.#step = place;
      this.#stats.requests += 1;
    }
    if (state === 'complete') this.#stop = 'none';
    if (state !== 'aborted' && state !== 'failed') return;
    const stop = state === 'failed' ? 'failed' : (by ?? 'stop');
    this.#stop = stop;
    if (stop !== 'crash' || reason !== RECOVERED) count(this.#stats.stops, stop);
  }

  #note(note: NoteData): void {
    const { retries, fallbacks, recoveries } = this.#stats;
    if (note.about === 'retry') count(retries, note.why);
    if (note.about === 'fallback') count(fallbacks, note.why);
    if (note.about === 'unrepaired') this.#stats.unrepaired += 1;
    if (note.about !== 'resumed') return;
    recoveries.total += 1;
    recoveries.totalMs += note.ms;
    recoveries.longestMs = Math.max(recoveries.longestMs, note.ms);
    const found = (recoveries.foundIn[note.from] ??= { sessions: 0, unsettled: 0 });
    found.sessions += 1;
    found.unsettled += note.unsettled;
  }

  #settled({ tool, error, late, placeholder, ms = 0 }: SettledData): void {
    const { tools } = this.#stats;
    const known = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    const of = known ?? { calls: 0, errors: 0, unsettled: 0, late: 0, totalMs: 0 };
    if (known === undefined) Object.defineProperty(tools, tool, { value: of, enumerable: true });
    if (late === true) {
      of.late += 1;
      return;
    }
    of.calls += 1;
    of.totalMs += ms;
    if (placeholder === true) of.unsettled += 1;
    else if (error === true) of.errors += 1;
  }

  #repair({ rule, loss }: { readonly rule?: string; readonly loss?: Loss }): void {
    const { repairs } = this.#stats;
    repairs.total += 1;
    if (rule !== undefined) count(repairs.byRule, rule);
    if (loss !== undefined) count(repairs.byLoss, loss);
    count(repairs.byStop, this.#stop);
  }
}
