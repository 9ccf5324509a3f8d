import { prepare, type Report } from '@rethread/core';
import type { ChildReport } from '@rethread/store';

import type { Choice, Unsettled, UnsettledCall } from './effects.ts';
import type { Ask } from './events.ts';
import { RECOVERED } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import type { State } from './states.ts';
import { takeUp } from './take-up.ts';

export type RecoverOptions = {
  /** What becomes of calls whose outcome is not known; by the effect of their tool where nothing is said. */
  readonly unsettled?: Unsettled;
  readonly signal?: AbortSignal;
};

/** Where a session stands after it was recovered, and what was found. */
export type RecoveredState = {
  readonly session: string;
  readonly state: State;
  /** The state that it was found in. */
  readonly found: State;
  /** Whether the run before ended without a word. */
  readonly crashed: boolean;
  readonly turn: number;
  /** Each call whose outcome was not known, and what became of it. Those that were asked about are still open. */
  readonly unsettled: readonly { readonly call: UnsettledCall; readonly choice: Choice }[];
  /** Calls that wait for an approval. */
  readonly asks: readonly Ask[];
  /** What was shown of an answer that was cut off. It is part of the history now. */
  readonly partial: string;
  /** How far the sessions came that work for this one. */
  readonly children: readonly ChildReport[];
  /** What it takes to make the history sendable. */
  readonly report: Report;
  /** How long it took, without the time of whoever decided and of tools that ran again. */
  readonly ms: number;
};

/** Settles what an earlier run left behind, and goes no further. */
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
