import { isDeepStrictEqual } from 'node:util';

import { type Dialect, projectAsRecorded } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { wireText } from './ask.ts';
import { runCalls } from './calls.ts';
import type { Ask } from './events.ts';
import { messageRecord, settledRecord, type MessageData } from './log-records.ts';
import type { Stop, Usage } from './model-port.ts';
import type { RunScope } from './run-scope.ts';
import { placeholder } from './settle.ts';
import { shorten } from './compact-session.ts';
import { lastAnswerIn, textIn } from './standing.ts';
import { step, type Answer } from './step.ts';
import { takeUp, type TakenUp } from './resume-session.ts';

/** The user's input: text, or messages in the model's dialect. Without it, the turn continues. */
export type Input = string | readonly unknown[] | undefined;

/** How a run ended. A waiting run has calls that need an approval; another run resumes it. */
export type RunResult = {
  readonly session: string;
  readonly state: 'complete' | 'waiting-for-tools';
  readonly text: string;
  readonly turn: number;
  readonly steps: number;
  readonly stop?: Stop;
  readonly usage?: Usage;
  readonly asks: readonly Ask[];
};

/** The input and the caller's name for it. */
export type Asked = { readonly input: Input; readonly inputId?: string };

/** The main path: resume the session, ask, run the calls, ask again, until the model needs no more tools. */
export function runTurn(run: RunScope, asked: Asked): Promise<RunResult> {
  return run.log.afresh(() => turn(run, asked));
}

async function turn(run: RunScope, asked: Asked): Promise<RunResult> {
  const input = isKnown(run, asked) ? undefined : asked.input;
  const waiting = input === undefined ? 'keep' : 'close';
  const { unsettled } = run.settings;
  const taken = await takeUp(run, {
    unsettled,
    waiting,
    children: 'look',
    asked: 'close',
    budget: input === undefined,
  });
  run.signal.throwIfAborted();
  if (taken.asks.length > 0 && input === undefined) return rest(run, taken.asks);
  let causes = opening(run, taken, { ...asked, input });
  if (causes === undefined) return finished(run);
  causes = [...unasked(taken), ...causes];
  for (;;) {
    const answer = await step(run, causes);
    causes = [];
    if (answer.calls.length > 0) {
      const asks = await runCalls(run, answer.calls);
      if (asks.length > 0) return rest(run, asks);
    } else if (answer.stop !== 'pause') return complete(run, answer);
    await shorten(run, { usage: answer.usage, overflow: false });
  }
}

/** The recorded input of a name. Reverted records do not count; compacted ones do. */
function saidUnder({ log: { records } }: RunScope, inputId: string): readonly MessageData[] {
  const said = records.filter(
    ({ kind, data }) => kind === 'message' && (data as MessageData | null)?.inputId === inputId,
  );
  const reverted = said.length > 0 && records.some(({ kind }) => kind === 'revert');
  const standing = reverted ? projectAsRecorded(records.filter(({ kind }) => kind !== 'checkpoint'))?.sources : [];
  const left = reverted ? said.filter(({ seq }) => standing?.includes(seq)) : said;
  return left.map(({ data }) => data as MessageData);
}

/** The record of the input. */
const wiresOf = (run: RunScope, input: string | readonly unknown[]): readonly unknown[] =>
  typeof input === 'string' ? [wireText(run, 'user', input)] : input;

/** Whether the input is on record. Another input under its name is refused, because it would be lost silently. */
function isKnown(run: RunScope, { input, inputId }: Asked): boolean {
  const said = inputId === undefined ? [] : saidUnder(run, inputId);
  if (said.length === 0) return false;
  if (input === undefined || isSaid(run, input, said)) return true;
  const what = `the name ${JSON.stringify(inputId)} belongs to another input; use a new name`;
  throw new AgentError('reused', `session ${JSON.stringify(run.session)}: ${what}`);
}

/** A list as a log returns it; undefined if a log cannot store it. */
function asStored(wires: readonly unknown[]): unknown {
  try {
    return JSON.parse(JSON.stringify(wires));
  } catch {
    return undefined;
  }
}

/** Compares content; messages for another dialect are compared by text. */
function isSaid(run: RunScope, input: string | readonly unknown[], said: readonly MessageData[]): boolean {
  const { dialect } = run.settings.port.target;
  const [given, before] = [wiresOf(run, input), said.map(({ wire }) => wire)];
  if (isDeepStrictEqual(asStored(given), before)) return true;
  const spoken = said[0]?.dialect;
  if (spoken === undefined || (typeof input !== 'string' && spoken === dialect)) return false;
  return textIn(before, spoken as Dialect) === (typeof input === 'string' ? input : textIn(given, dialect));
}

/** Questions overtaken by new input, which nobody should be asked later. */
const unasked = ({ asks }: TakenUp): NewRecord[] =>
  asks.map((ask) => settledRecord(placeholder(ask, ask.child === undefined ? 'not-started' : 'started')));

const PROCEED = 'Continue.';

/** The records before the first request; undefined if there is nothing to do. */
function opening(run: RunScope, { standing, partial, crashed }: TakenUp, asked: Asked): NewRecord[] | undefined {
  const { input, inputId } = asked;
  const say = (wire: unknown, more: Partial<MessageData> = {}): NewRecord =>
    messageRecord({ dialect: run.settings.port.target.dialect, wire, turn: run.turn, step: run.step + 1, ...more });
  if (input !== undefined) {
    run.turn += 1;
    run.step = 0;
    const named = inputId === undefined ? {} : { inputId };
    return wiresOf(run, input).map((wire) => say(wire, { given: true, ...named }));
  }
  if (standing.state === 'complete' || standing.last === 'nobody') return undefined;
  // An interrupted answer is no request: without new input the model would not continue.
  const spoken = (crashed && partial !== '') || (standing.last === 'assistant' && standing.open.length === 0);
  return spoken ? [say(wireText(run, 'user', PROCEED), { synthetic: true })] : [];
}

async function complete(run: RunScope, { text, stop, usage }: Answer): Promise<RunResult> {
  run.emit({ kind: 'complete', text, turn: run.turn });
  // The turn is over, so a stop can only end this.
  await shorten(run, { usage, overflow: false }).catch(() => false);
  const more = usage === undefined ? {} : { usage };
  return { ...resultOf(run), state: 'complete', text, stop, asks: [], ...more };
}

/** The turn was over before this run began. */
function finished(run: RunScope): RunResult {
  return { ...resultOf(run), state: 'complete', text: lastAnswerIn(run.log.records), asks: [] };
}

async function rest(run: RunScope, asks: readonly Ask[]): Promise<RunResult> {
  await run.go('waiting-for-tools', { asks });
  run.emit({ kind: 'waiting', asks });
  return { ...resultOf(run), state: 'waiting-for-tools', text: '', asks };
}

function resultOf(run: RunScope): Pick<RunResult, 'session' | 'turn' | 'steps'> {
  return { session: run.session, turn: run.turn, steps: run.steps };
}
