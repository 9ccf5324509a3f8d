import type { EvidenceKind } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { wireText } from './ask.ts';
import { runCalls } from './calls.ts';
import { choose, toUnsettled, type Choice, type Unsettled, type UnsettledCall } from './effects.ts';
import type { Ask } from './events.ts';
import { noteRecord, settledRecord, stateRecord } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import { partialRecords, placeholder } from './settle.ts';
import { asText } from './shown.ts';
import { standingOf, type Standing } from './standing.ts';
import { isResting } from './states.ts';
import { toolNamed } from './tool.ts';

/** A call that was cut off, and what became of it. */
export type Chosen = { readonly call: UnsettledCall; readonly choice: Choice };

/** Where a session stands once it was taken up. */
export type TakenUp = {
  readonly standing: Standing;
  /** Whether the run before ended without a word. */
  readonly crashed: boolean;
  readonly chosen: readonly Chosen[];
  /** Calls that still wait for an approval. */
  readonly asks: readonly Ask[];
  /** What was shown of an answer that was cut off. */
  readonly partial: string;
  /** The time that our own work took: neither that of whoever decided, nor that of tools which ran again. */
  readonly ms: number;
};

export type Taking = {
  readonly unsettled: Unsettled;
  /** `close` ends what waits for somebody: the user has said something new, or nobody may be waited for. */
  readonly waiting: 'keep' | 'close';
  readonly asked: 'keep' | 'close';
  readonly budget: boolean;
};

/** Looks where a session stands that was loaded, and settles what an earlier run left behind. */
export async function takeUp(run: RunScope, taking: Taking): Promise<TakenUp> {
  const { clock, crashBudget } = run.settings;
  const begun = clock.now();
  const standing = standingOf(run.log.records);
  remember(run, standing);
  const readMs = run.log.loadMs + clock.now() - begun;
  const rests = isResting(standing.state) || (standing.state === 'waiting-for-tools' && standing.asks.length > 0);
  const chosen = await Promise.all(standing.open.map((call) => chooseFor(run, { call, standing, taking })));
  const partial = asText(standing.shown);
  const waits = (each: Chosen): boolean => each.choice === 'ask';
  if (taking.budget && standing.resumes >= crashBudget) {
    const sentence = `taken up ${standing.resumes} times without getting on; it goes on when something new is said`;
    throw new AgentError('crash-loop', sentence);
  }
  if (rests && chosen.every(waits)) {
    return { standing, crashed: false, chosen, asks: standing.asks, partial, ms: readMs };
  }
  const decided = clock.now();
  await record(run, { standing, chosen, partial, crashed: !rests, ms: readMs });
  const ms = readMs + clock.now() - decided;
  const again = chosen.flatMap(({ call, choice }) => (choice === 're-execute' ? [call] : []));
  const asks = again.length === 0 ? [] : await runCalls(run, again, standing.decisions);
  const kept = standing.asks.filter(({ callId }) => chosen.some((each) => waits(each) && each.call.callId === callId));
  return { standing, crashed: !rests, chosen, asks: [...kept, ...asks], partial, ms };
}

function remember(run: RunScope, { state, turn, step, refusal, leavesOut }: Standing): void {
  run.state = state;
  run.turn = turn;
  run.step = step;
  const { dialect } = run.settings.port.target;
  // What one provider does not take says nothing about another.
  run.lessons.refusal = (refusal?.dialect ?? dialect) === dialect ? refusal?.text : undefined;
  run.lessons.leavesOut = leavesOut;
}

type Question = { readonly call: Standing['open'][number]; readonly standing: Standing; readonly taking: Taking };

async function chooseFor(run: RunScope, { call, standing, taking }: Question): Promise<Chosen> {
  const unsettled = toUnsettled(call, toolNamed(run.settings.tools, call.tool));
  const waits = standing.asks.some(({ callId }) => callId === call.callId);
  if (waits && !standing.decisions.has(call.callId) && !unsettled.mayHaveRun) {
    return { call: unsettled, choice: taking.waiting === 'keep' ? 'ask' : 'close' };
  }
  // Somebody has said what is to become of it, so nobody else is asked.
  if (waits && !unsettled.mayHaveRun) return { call: unsettled, choice: 're-execute' };
  const choice = await choiceFor(run, unsettled, taking.unsettled);
  return { call: unsettled, choice: choice === 'ask' && taking.asked === 'close' ? 'close' : choice };
}

/** Who is asked and says nothing in time has not decided. */
async function choiceFor(run: RunScope, call: UnsettledCall, unsettled: Unsettled): Promise<Choice> {
  try {
    return await run.within(choose(call, unsettled), 'approvalMs', run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    run.tell({ level: 'warn', event: 'not-decided', callId: call.callId, error: String(error) });
    return 'ask';
  }
}

function knownOf({ started, mayHaveRun }: UnsettledCall): EvidenceKind | 'unknown' {
  if (started !== undefined) return 'started';
  return mayHaveRun ? 'unknown' : 'not-started';
}

type Found = Pick<TakenUp, 'standing' | 'chosen' | 'partial' | 'crashed' | 'ms'>;

/** What was found and what was chosen, in one write. */
async function record(run: RunScope, { standing, chosen, partial, crashed, ms }: Found): Promise<void> {
  const records: NewRecord[] = [];
  if (crashed && partial !== '') records.push(...partialRecords(run, [wireText(run, 'assistant', partial)]));
  const removed = chosen.flatMap(({ call, choice }) => (choice === 'remove' ? [call.callId] : []));
  for (const { call, choice } of chosen) {
    if (choice === 'close') records.push(settledRecord(placeholder(call, knownOf(call))));
  }
  if (removed.length > 0) {
    records.push(noteRecord({ about: 'removed', callIds: removed }));
    run.lessons.leavesOut = true;
  }
  if (crashed) {
    const from = standing.state;
    records.push(noteRecord({ about: 'resumed', ...run.place, from, unsettled: chosen.length, ms }));
    records.push(stateRecord({ state: 'aborted', ...run.place, by: 'crash', reason: 'the run before did not end' }));
    run.state = 'aborted';
  }
  await run.log.append(...records);
  if (crashed) run.emit({ kind: 'recovered', from: standing.state, unsettled: chosen.length, ms });
}
