import { type EvidenceKind, RESULT_TEXTS } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { answerRecords } from './answer-records.ts';
import { settledRecord, stateRecord, type SettledData } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import { callsIn, standingOf, type Call, type StartedCall } from './standing.ts';
import { wordsOf } from './undisturbed.ts';

/** What the model is told about a call with an unknown outcome. */
export function placeholder({ callId, tool }: Call, evidence: EvidenceKind | 'unknown'): SettledData {
  return { callId, tool, text: RESULT_TEXTS[evidence], error: true, placeholder: true };
}

/** The part of an answer before it was stopped. */
export function partialRecords(run: RunScope, messages: readonly unknown[]): readonly NewRecord[] {
  return answerRecords(run, messages, { completeness: 'aborted' });
}

/** What is known about an open call after its run has ended. */
function evidenceFor({ started }: StartedCall, run: RunScope): EvidenceKind {
  if (started === undefined) return 'not-started';
  if (run.stopped === undefined) return 'started';
  return run.stopped.by === 'deadline' ? 'timed-out' : 'aborted';
}

/**
 * Ends a stopped or failed run: keeps the partial answer, closes every open pair and records the end in one write, then
 * reports it. Never throws, because another error is already being reported.
 */
export async function settle(run: RunScope, error: Error): Promise<void> {
  // If this run has not written to the session, or cannot, the next run finds a crash and settles it.
  if (run.log.isClaimed && !run.log.isDoubtful) await recordEnd(run, error);
  else run.tell({ level: 'warn', event: 'not-settled', error: wordsOf(error) });
  if (run.stopped === undefined) run.emit({ kind: 'failed', error });
  else run.emit({ kind: 'aborted', by: run.stopped.by, reason: wordsOf(error) });
}

async function recordEnd(run: RunScope, error: Error): Promise<void> {
  const { stopped, partial, settings } = run;
  const open = [...standingOf(run.log.records).open, ...callsIn(partial, settings.port.target.dialect)];
  const closed = open.map((call) => placeholder(call, evidenceFor(call, run)));
  const state = stopped === undefined ? 'failed' : 'aborted';
  const why = { ...(stopped === undefined ? {} : { by: stopped.by }), reason: wordsOf(error) };
  const end = stateRecord({ state, ...run.place, ...why });
  try {
    await run.log.append(...partialRecords(run, partial), ...closed.map((data) => settledRecord(data)), end);
  } catch (failure) {
    run.tell({ level: 'error', event: 'settle-failed', error: String(failure) });
    return;
  }
  run.state = state;
  for (const { callId, tool, text } of closed) {
    run.emit({ kind: 'call-settled', callId, tool, text, error: true, late: false });
  }
  run.emit({ kind: 'state', state, ...run.place });
}
