import { RESULT_TEXTS } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { askFor, needsApproval } from './approvals.ts';
import type { Ask } from './events.ts';
import { settledRecord, startedRecord, type Place, type StartedData } from './log-records.ts';
import { runTool } from './run-tool.ts';
import type { RunScope } from './run-scope.ts';
import { checkInput } from './schema.ts';
import type { Call, StartedCall } from './standing.ts';
import { toolNamed, type Tool } from './tool.ts';

export type ReadyCall = {
  readonly tool: Tool;
  /** The tool's argument: the recorded input after its schema. */
  readonly input: unknown;
  readonly started: StartedData;
};

type Plan =
  | ({ readonly kind: 'run' } & ReadyCall)
  | { readonly kind: 'ask'; readonly call: Call; readonly ask: Ask }
  | { readonly kind: 'settle'; readonly call: Call; readonly text: string; readonly placeholder?: true };

type Asking = Extract<Plan, { kind: 'ask' }>;

export type Decisions = ReadonlyMap<string, 'allow' | 'deny'>;

/**
 * Runs calls concurrently, but calls with the same id in order, so that results, approvals and recovery stay
 * unambiguous. Returns the calls that wait for an approval, in this session or a child. A decision applies to the first
 * call of its id.
 */
export async function runCalls(
  run: RunScope,
  calls: readonly StartedCall[],
  decisions: Decisions = new Map(),
): Promise<readonly Ask[]> {
  const isFirst = ({ callId }: Call, index: number): boolean =>
    calls.findIndex((call) => call.callId === callId) === index;
  const asks = await runTogether(run, calls.filter(isFirst), decisions);
  const isFree = ({ callId }: Call): boolean => asks.every((ask) => ask.callId !== callId);
  const rest = calls.filter((call, index) => !isFirst(call, index) && isFree(call));
  return rest.length === 0 ? asks : [...asks, ...(await runCalls(run, rest))];
}

/** Records each call before it starts, and its result when it ends. */
async function runTogether(
  run: RunScope,
  calls: readonly StartedCall[],
  decisions: Decisions,
): Promise<readonly Ask[]> {
  const plans = await Promise.all(calls.map((call) => planned(run, call, decisions)));
  run.signal.throwIfAborted();
  const ready = plans.filter((plan) => plan.kind === 'run');
  const asking = plans.filter((plan) => plan.kind === 'ask');
  const asks = asking.map(({ ask }) => ask);
  const settled = plans.flatMap((plan) => (plan.kind === 'settle' ? [plan] : []));
  await start(run, { ready, settled, asks });
  const answers = await together(run, [
    ...ready.map((each) => runTool(run, each)),
    ...asking.map((plan) => askAndRun(run, plan)),
  ]);
  run.signal.throwIfAborted();
  return answers.flat();
}

/** Waits for all calls. If one fails, stops the others and waits for them first. */
async function together<T>(run: RunScope, work: readonly Promise<T>[]): Promise<readonly T[]> {
  const fail = (error: unknown): never => {
    run.fail(error);
    throw error;
  };
  const ended = await Promise.allSettled(work.map((each) => each.catch(fail)));
  return ended.map((each) => {
    if (each.status === 'rejected') throw run.signal.reason as Error;
    return each.value;
  });
}

type Batch = {
  readonly ready: readonly ReadyCall[];
  readonly settled: readonly Extract<Plan, { kind: 'settle' }>[];
  readonly asks: readonly Ask[];
};

async function start(run: RunScope, { ready, settled, asks }: Batch): Promise<void> {
  const records: NewRecord[] = [
    ...settled.map(({ call: { callId, tool }, text, placeholder }) =>
      settledRecord({ callId, tool, text, error: true, ...(placeholder === undefined ? {} : { placeholder }) }),
    ),
    ...ready.map(({ started }) => startedRecord(started)),
  ];
  const why = asks.length === 0 ? {} : { asks };
  if (ready.length > 0 || asks.length > 0) {
    await run.go(ready.length > 0 ? 'running-tools' : 'waiting-for-tools', why, ...records);
  } else await run.log.append(...records);
  for (const { call, text } of settled) {
    run.emit({ kind: 'call-settled', callId: call.callId, tool: call.tool, text, error: true, late: false });
  }
  for (const { started } of ready) {
    const { callId, tool, input, key } = started;
    run.emit({ kind: 'call-started', callId, tool, input, key });
  }
  for (const ask of asks) run.emit({ kind: 'approval', ask });
}

/** Asks for an approval if possible; without an answer the call stays open. */
async function askAndRun(run: RunScope, { call, ask }: Asking): Promise<readonly Ask[]> {
  const decision = await askFor(run, ask);
  return decision === undefined ? [ask] : runCalls(run, [call], new Map([[ask.callId, decision]]));
}

const CUT_OFF = 'the answer was cut off in this call, so it was not run: its input may not be whole';

async function planned(run: RunScope, call: StartedCall, decisions: Decisions): Promise<Plan> {
  const tool = toolNamed(run.settings.tools, call.tool);
  if (tool === undefined) return { kind: 'settle', call, text: `there is no tool ${JSON.stringify(call.tool)}` };
  if (call.cut === true) return { kind: 'settle', call, text: CUT_OFF };
  const decision = decisions.get(call.callId);
  if (decision === 'deny') return { kind: 'settle', call, text: RESULT_TEXTS.denied };
  try {
    // Tools may change their input, so they get a copy.
    const checked = await run.within(checkInput(structuredClone(call.input), tool.schema), 'toolMs', run.signal);
    if ('problem' in checked) return { kind: 'settle', call, text: checked.problem };
    const { given, value: input } = checked;
    const free = decision === 'allow' || call.started !== undefined;
    if (!free && (await needsApproval(run, tool, input))) {
      return { kind: 'ask', call, ask: { callId: call.callId, tool: call.tool, input: given } };
    }
    return { kind: 'run', tool, input, started: startOf(run, { call, tool, input: given }) };
  } catch (error) {
    run.signal.throwIfAborted();
    return { kind: 'settle', call, text: `the input could not be checked: ${String(error)}` };
  }
}

type Beginning = { readonly call: StartedCall; readonly tool: Tool; readonly input: unknown };

function startOf(run: RunScope, { call, tool, input }: Beginning): StartedData {
  // A repeated call keeps its first idempotency key, even in a later turn.
  const before = call.started;
  const place: Place = before === undefined ? run.place : { turn: before.turn, step: before.step };
  const key = before?.key ?? run.keyOf(place, call.copy === undefined ? call.callId : `${call.callId}#${call.copy}`);
  const effect = tool.effect ?? 'undeclared';
  return { callId: call.callId, tool: call.tool, input, key, effect, ...place };
}
