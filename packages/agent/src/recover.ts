import { prepare, type Report } from '@rethread/core';
import type { ChildReport } from '@rethread/store';

import type { Choice, Unsettled, UnsettledCall } from './effects.ts';
import type { Ask } from './events.ts';
import { RECOVERED } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import type { State } from './states.ts';
import { takeUp } from './resume-session.ts';

export type RecoverOptions = {
  /** What happens to calls with an unknown outcome (default: by the tool's effect). */
  readonly unsettled?: Unsettled;
  readonly signal?: AbortSignal;
};

/** The state of a recovered session and what was found. */
export type RecoveredState = {
  readonly session: string;
  readonly state: State;
  /** The state before the recovery. */
  readonly found: State;
  /** Whether the previous run ended without a final state. */
  readonly crashed: boolean;
  readonly turn: number;
  /** Each call with an unknown outcome and what happened to it. Those with `ask` are still open. */
  readonly unsettled: readonly { readonly call: UnsettledCall; readonly choice: Choice }[];
  /** Calls that wait for an approval. */
  readonly asks: readonly Ask[];
  /** The shown part of an interrupted answer, now part of the history. */
  readonly partial: string;
  /** The progress of child sessions. */
  readonly children: readonly ChildReport[];
  /** The repairs that make the history sendable. */
  readonly report: Report;
  /** Our own time, without decisions and repeated tools. */
  readonly ms: number;
};

/** Settles what an earlier run left behind, and stops there. */
export function recoverRun(run: RunScope, unsettled: Unsettled): Promise<RecoveredState> {
  return run.log.afresh(() => recover(run, unsettled));
}

async function recover(run: RunScope, unsettled: Unsettled): Promise<RecoveredState> {
  const taken = await takeUp(run, { unsettled, waiting: 'keep', children: 'leave', asked: 'keep', budget: false });
  const { standing, crashed, chosen, asks, partial, ms } = taken;
  if (asks.length > 0) await run.go('waiting-for-tools', { asks });
  else if (run.state === 'running-tools') await run.go('aborted', { by: 'crash', reason: RECOVERED });
  const records = await run.log.settled();
  const { report } = prepare(records, run.settings.port.target, { open: 'leave' });
  const children = await run.within(run.log.session.children(), 'storeMs');
  return {
    session: run.session,
    state: run.state,
    found: standing.state,
    crashed,
    turn: run.turn,
    unsettled: chosen,
    asks,
    partial: crashed ? partial : '',
    children,
    report,
    ms,
  };
}
