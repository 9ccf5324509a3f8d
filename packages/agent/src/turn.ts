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
import { shorten } from './shorten.ts';
import { lastAnswerIn, textIn } from './standing.ts';
import { step, type Answer } from './step.ts';
import { takeUp, type TakenUp } from './take-up.ts';

/** What a user says: text, or messages in the dialect of the model. Nothing goes on with the turn as it stands. */
export type Input = string | readonly unknown[] | undefined;

/** How a run ended. A run that waits has calls that somebody must allow first, and is resumed by another run. */
export type RunResult = {
  readonly session: string;
  readonly state: 'complete' | 'waiting-for-tools';
  /** The text of the final answer. */
  readonly text: string;
  readonly turn: number;
  /** Requests that this run made. */
  readonly steps: number;
  readonly stop?: Stop;
  readonly usage?: Usage;
  readonly asks: readonly Ask[];
};

/** What the user says, and the name that the caller gave it. */
export type Asked = { readonly input: Input; readonly inputId?: string };

/** The main path: take the session up, ask, run the calls, ask again, until the model has nothing more to ask for. */
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

/** What is on record under a name. What was taken back is not; what a summary stands for is. */
function saidUnder({ log: { records } }: RunScope, inputId: string): readonly MessageData[] {
  const said = records.filter(
    ({ kind, data }) => kind === 'message' && (data as MessageData | null)?.inputId === inputId,
  );
  const reverted = said.length > 0 && records.some(({ kind }) => kind === 'revert');
  const standing = reverted ? projectAsRecorded(records.filter(({ kind }) => kind !== 'checkpoint'))?.sources : [];
  const left = reverted ? said.filter(({ seq }) => standing?.includes(seq)) : said;
  return left.map(({ data }) => data as MessageData);
}

/** What the user says, as it is recorded. */
const wiresOf = (run: RunScope, input: string | readonly unknown[]): readonly unknown[] =>
  typeof input === 'string' ? [wireText(run, 'user', input)] : input;

/** Whether the input is on record; another one under its name would be lost without anybody being told. */
function isKnown(run: RunScope, { input, inputId }: Asked): boolean {
  const said = inputId === undefined ? [] : saidUnder(run, inputId);
  if (said.length === 0) return false;
  if (input === undefined || isSaid(run, input, said)) return true;
  const what = `the name ${JSON.stringify(inputId)} was given to another input`;
  throw new AgentError('reused', `session ${JSON.stringify(run.session)}: ${what}`);
}

/** As a list comes back from a log; undefined for one that none can hold. */
function asStored(wires: readonly unknown[]): unknown {
  try {
    return JSON.parse(JSON.stringify(wires));
  } catch {
    return undefined;
  }
}

/** By content; what was said to a model of another dialect is known by its words. */
function isSaid(run: RunScope, input: string | readonly unknown[], said: readonly MessageData[]): boolean {
  const { dialect } = run.settings.port.target;
  const [given, before] = [wiresOf(run, input), said.map(({ wire }) => wire)];
  if (isDeepStrictEqual(asStored(given), before)) return true;
  const spoken = said[0]?.dialect;
  if (spoken === undefined || (typeof input !== 'string' && spoken === dialect)) return false;
  return textIn(before, spoken as Dialect) === (typeof input === 'string' ? input : textIn(given, dialect));
}

/** Questions that a new word of the user has overtaken: nobody is to be asked about them later. */
const unasked = ({ asks }: TakenUp): NewRecord[] =>
  asks.map((ask) => settledRecord(placeholder(ask, ask.child === undefined ? 'not-started' : 'started')));

const PROCEED = 'Continue.';

/** What is recorded before the first request; undefined where there is nothing to do. */
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
  // An answer that was cut off is no request; without a word from somebody the model would not go on.
  const spoken = (crashed && partial !== '') || (standing.last === 'assistant' && standing.open.length === 0);
  return spoken ? [say(wireText(run, 'user', PROCEED), { synthetic: true })] : [];
}

async function complete(run: RunScope, { text, stop, usage }: Answer): Promise<RunResult> {
  run.emit({ kind: 'complete', text, turn: run.turn });
  // The turn is over: a stop that comes now has nothing left to stop but this.
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
