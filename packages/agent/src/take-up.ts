import type { EvidenceKind } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { wireText } from './ask.ts';
import { runCalls } from './calls.ts';
import { choose, mayRunAgain, toUnsettled, type Choice, type Unsettled, type UnsettledCall } from './effects.ts';
import type { Ask } from './events.ts';
import { lessonsOf } from './learn.ts';
import { noteRecord, settledRecord, stateRecord } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import { partialRecords, placeholder } from './settle.ts';
import { asText } from './shown.ts';
import { standingOf, type OpenCall, type Standing } from './standing.ts';
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
  /** Whether a call that waits for its child looks after it, or is left alone. */
  readonly children: 'look' | 'leave';
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
  const asks = again.length === 0 ? [] : await runCalls(run, again, decisionsFor(again, standing));
  const kept = standing.asks.filter((ask) => chosen.some((each) => waits(each) && isOf(standing, ask, each.call)));
  return { standing, crashed: !rests, chosen, asks: [...kept, ...asks], partial, ms };
}

/** What was asked and decided by an id is about the first call that is open and has it. */
function isOf({ open }: Standing, { callId }: { readonly callId: string }, call: OpenCall): boolean {
  const first = open.find((each) => each.callId === callId);
  return first !== undefined && call.callId === callId && call.copy === first.copy;
}

function decisionsFor(again: readonly UnsettledCall[], standing: Standing): Standing['decisions'] {
  const own = again.filter((call) => isOf(standing, call, call)).map(({ callId }) => callId);
  return new Map([...standing.decisions].filter(([callId]) => own.includes(callId)));
}

function remember(run: RunScope, { state, turn, step, refusals, leavesOut }: Standing): void {
  run.state = state;
  run.turn = turn;
  run.step = step;
  const { dialect } = run.settings.port.target;
  // What one provider does not take says nothing about another.
  run.lessons.refusals = lessonsOf(refusals.filter((refused) => (refused.dialect ?? dialect) === dialect));
  run.lessons.leavesOut = leavesOut;
}

type Question = { readonly call: Standing['open'][number]; readonly standing: Standing; readonly taking: Taking };

async function chooseFor(run: RunScope, { call, standing, taking }: Question): Promise<Chosen> {
  const unsettled = toUnsettled(call, toolNamed(run.settings.tools, call.tool));
  const ask = standing.asks.find(({ callId }) => callId === call.callId);
  const isFirst = isOf(standing, call, call);
  if (ask?.child !== undefined) return { call: unsettled, choice: choiceForChild(unsettled, taking) };
  const decision = standing.decisions.get(call.callId);
  // What shares its id with a call that waits, waits behind it.
  if (ask !== undefined && decision === undefined && !unsettled.mayHaveRun) {
    return { call: unsettled, choice: taking.waiting === 'keep' ? 'ask' : 'close' };
  }
  // Somebody has said what is to become of it, so nobody else is asked.
  if (ask !== undefined && isFirst && !unsettled.mayHaveRun) return { call: unsettled, choice: 're-execute' };
  // A no that comes when the call may have run keeps it from running again, and undoes nothing.
  if (unsettled.mayHaveRun && isFirst && decision === 'deny') return { call: unsettled, choice: 'close' };
  const choice = await choiceFor(run, unsettled, taking.unsettled);
  return { call: unsettled, choice: choice === 'ask' && taking.asked === 'close' ? 'close' : choice };
}

/** Nothing is unknown about a call whose child waits: it rested, and running it again takes the child up. */
function choiceForChild(call: UnsettledCall, { waiting, children }: Taking): Choice {
  if (waiting === 'close') return 'close';
  if (children === 'leave') return 'ask';
  return mayRunAgain(call) ? 're-execute' : 'close';
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
  for (const [index, { call, choice }] of chosen.entries()) {
    // Results are told apart by their order where ids cannot, so none is given before that of an earlier call.
    const isNext = chosen.slice(0, index).every((each) => each.call.callId !== call.callId || each.choice === 'close');
    if (choice === 'close' && isNext) records.push(settledRecord(placeholder(call, knownOf(call))));
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
