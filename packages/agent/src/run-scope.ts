import { createHash } from 'node:crypto';

import type { SessionRecord } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import type { Counted } from './compaction.ts';
import { within, type Deadlines } from './deadlines.ts';
import { undisturbed } from './undisturbed.ts';
import type { AgentEvent, StopKind } from './events.ts';
import { stateRecord, type Place, type Why } from './log-records.ts';
import type { LogLine } from './logger.ts';
import type { Lessons } from './request.ts';
import type { SessionLog } from './session-log.ts';
import type { RunToken, Settings } from './settings.ts';
import type { State } from './states.ts';

/** Who stopped a run, and its error. */
export type Stopped = { readonly by: StopKind; readonly error: Error };

type RunParts = {
  readonly log: SessionLog;
  readonly token: RunToken;
  readonly emit: (event: AgentEvent) => void;
};

/** The shared state of a run: log, events, position and stop signal. */
export class RunScope {
  readonly settings: Settings;
  readonly log: SessionLog;
  readonly session: string;
  readonly #emit: (event: AgentEvent) => void;
  readonly #token: RunToken;
  readonly #stop = new AbortController();
  stopped: Stopped | undefined;
  state: State = 'idle';
  turn = 0;
  step = 0;
  steps = 0;
  readonly lessons: Lessons = { refusals: [], leavesOut: false, noted: new Set() };
  /** The newest request with a token count from the provider. */
  counted: Counted | undefined;
  sent: readonly unknown[] = [];
  /** The partial wire messages of an answer that is not recorded yet. */
  partial: readonly unknown[] = [];
  /** True once the session was released; later records are written separately. */
  over = false;

  constructor(settings: Settings, { log, token, emit }: RunParts) {
    this.settings = settings;
    this.log = log;
    this.session = log.session.id;
    this.#token = token;
    this.#emit = emit;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get place(): Place {
    return { turn: this.turn, step: this.step };
  }

  /** The first stop counts. */
  stop(stopped: Stopped): void {
    if (this.stopped !== undefined || this.over) return;
    this.stopped = stopped;
    this.#stop.abort(stopped.error);
  }

  /** Tells all running work that the run failed. */
  fail(error: unknown): void {
    this.#stop.abort(error);
  }

  emit(event: AgentEvent): void {
    this.#emit(event);
    const { onEvent } = this.settings;
    if (onEvent === undefined) return;
    undisturbed(
      () => onEvent(event, this.session),
      (error) => this.tell({ level: 'error', event: 'listener-failed', error }),
    );
  }

  tell(line: LogLine): void {
    this.settings.log({ session: this.session, ...line });
  }

  /** Changes the state: recorded in one write with its cause, then reported. */
  async go(state: State, why: Why = {}, ...causes: readonly NewRecord[]): Promise<void> {
    await this.log.append(...causes, stateRecord({ state, ...this.place, ...why }));
    this.state = state;
    this.emit({ kind: 'state', state, ...this.place });
  }

  /** Waits up to a deadline, or until `signal` aborts. */
  within<T>(work: PromiseLike<T>, deadline: keyof Deadlines, signal?: AbortSignal): Promise<T> {
    const { clock, deadlines } = this.settings;
    return within(work, { clock, deadline, ms: deadlines[deadline], ...(signal === undefined ? {} : { signal }) });
  }

  /** Equal for every run of this call and unique to it, although some models reuse call ids. */
  keyOf({ turn, step }: Place, callId: string): string {
    return createHash('sha256')
      .update(JSON.stringify([this.session, turn, step, callId]))
      .digest('hex')
      .slice(0, 32);
  }

  /** The present log, also after the run. */
  async recordsNow(): Promise<readonly SessionRecord[]> {
    if (!this.over) return this.log.records;
    const session = await this.within(this.settings.store.session(this.session), 'storeMs');
    return (await this.within(session.load(), 'storeMs')) as readonly SessionRecord[];
  }

  /**
   * Writes after the run, behind the expected head. Releases the session at once, unless another run of this agent has
   * it.
   */
  async appendAfterwards(record: NewRecord, expect: number): Promise<void> {
    const session = await this.within(this.settings.store.session(this.session), 'storeMs');
    await this.within(session.append(record, { expect }), 'storeMs');
    const user = this.settings.running.get(this.session);
    if (user === undefined || user === this.#token) await this.within(session.close(), 'storeMs');
  }

  /** Replaces the client and ignores errors of the old one. */
  async renew(): Promise<void> {
    try {
      await this.within(Promise.resolve(this.settings.port.renew()), 'renewMs');
    } catch (error) {
      this.tell({ level: 'warn', event: 'renew-failed', error: String(error) });
    }
  }
}
