import type { EvidenceKind } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { wireText } from './ask.ts';
import { runCalls } from './calls.ts';
import { choose, mayRunAgain, toUnsettled, type Choice, type Unsettled, type UnsettledCall } from './effects.ts';
import type { Ask } from './events.ts';
import { lessonsOf } from './learned-refusals.ts';
import { noteRecord, settledRecord, stateRecord } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import { partialRecords, placeholder } from './settle.ts';
import { asText } from './streamed-text.ts';
import { standingOf, type OpenCall, type Standing } from './standing.ts';
import { isResting } from './states.ts';
import { toolNamed } from './tool.ts';

/** An interrupted call and what happened to it. */
export type Chosen = { readonly call: UnsettledCall; readonly choice: Choice };

/** The state of a resumed session. */
export type TakenUp = {
  readonly standing: Standing;
  /** Whether the previous run ended without a final state. */
  readonly crashed: boolean;
  readonly chosen: readonly Chosen[];
  /** Calls that still wait for an approval. */
  readonly asks: readonly Ask[];
  /** The shown part of an interrupted answer. */
  readonly partial: string;
  /** Our own time, without decisions and repeated tools. */
  readonly ms: number;
};

export type Taking = {
  readonly unsettled: Unsettled;
  /** `close` ends waiting calls: the user said something new, or waiting is not allowed. */
  readonly waiting: 'keep' | 'close';
  /** Whether a call that waits for its child resumes it or leaves it alone. */
  readonly children: 'look' | 'leave';
  readonly asked: 'keep' | 'close';
  readonly budget: boolean;
};

/** Determines the state of a loaded session and settles what an earlier run left behind. */
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
    const sentence = `resumed ${standing.resumes} times without progress; say something new to continue`;
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

/** A question and decision by id concern the first open call with that id. */
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
  // A refusal by one provider says nothing about another.
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
  // A call with the same id as a waiting one waits behind it.
  if (ask !== undefined && decision === undefined && !unsettled.mayHaveRun) {
    return { call: unsettled, choice: taking.waiting === 'keep' ? 'ask' : 'close' };
  }
  // A decision is recorded, so nobody is asked again.
  if (ask !== undefined && isFirst && !unsettled.mayHaveRun) return { call: unsettled, choice: 're-execute' };
  // A late denial keeps a call that may have run from running again, but undoes nothing.
  if (unsettled.mayHaveRun && isFirst && decision === 'deny') return { call: unsettled, choice: 'close' };
  const choice = await choiceFor(run, unsettled, taking.unsettled);
  return { call: unsettled, choice: choice === 'ask' && taking.asked === 'close' ? 'close' : choice };
}

/** A call whose child waits has a known state; running it again resumes the child. */
function choiceForChild(call: UnsettledCall, { waiting, children }: Taking): Choice {
  if (waiting === 'close') return 'close';
  if (children === 'leave') return 'ask';
  return mayRunAgain(call) ? 're-execute' : 'close';
}

/** A missing answer is no decision. */
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

/** Records findings and choices in one write. */
async function record(run: RunScope, { standing, chosen, partial, crashed, ms }: Found): Promise<void> {
  const records: NewRecord[] = [];
  if (crashed && partial !== '') records.push(...partialRecords(run, [wireText(run, 'assistant', partial)]));
  const removed = chosen.flatMap(({ call, choice }) => (choice === 'remove' ? [call.callId] : []));
  for (const [index, { call, choice }] of chosen.entries()) {
    // If ids repeat, results are told apart by order, so an earlier call is answered first.
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
