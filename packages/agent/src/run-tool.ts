import { inspect, types } from 'node:util';

import { RESULT_TEXTS, type SessionRecord } from '@rethread/core';
import { StoreError } from '@rethread/store';

import type { ReadyCall } from './calls.ts';
import { ChildWaits } from './child-waits.ts';
import { DeadlineError, within } from './deadlines.ts';
import type { Ask } from './events.ts';
import { settledRecord, type SettledData, type StartedData } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import { standingOf } from './standing.ts';
import { nameOf } from './undisturbed.ts';

type Ended =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'waits'; readonly child: ChildWaits };

/**
 * Runs one call and records its result, or returns the question it waits for. After a stop, the tool has a little time
 * to end. Otherwise the call stays open and is closed with the others; a later result is still recorded.
 */
export async function runTool(run: RunScope, ready: ReadyCall): Promise<readonly Ask[]> {
  const { clock, deadlines, tracing } = run.settings;
  const { tool, started } = ready;
  const quit = new AbortController();
  const begun = clock.now();
  const span = tracing.span(`execute_tool ${started.tool}`, {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': started.tool,
    'gen_ai.tool.call.id': started.callId,
  });
  const work = execute(run, ready, AbortSignal.any([run.signal, quit.signal]));
  const ms = tool.timeoutMs ?? deadlines.toolMs;
  const ended = await within(work, { clock, deadline: 'toolMs', ms, signal: run.signal }).catch(() => undefined);
  if (ended?.kind === 'value' || (ended?.kind === 'error' && !run.signal.aborted)) {
    await settleCall(run, ready, { ...toResult(ended), ms: clock.now() - begun });
    span.end(ended.kind === 'error' ? ended.error : undefined);
    return [];
  }
  if (ended?.kind === 'waits' && !run.signal.aborted) {
    span.end();
    const { session, asks } = ended.child;
    return [{ callId: started.callId, tool: started.tool, input: started.input, child: { session, asks } }];
  }
  if (run.signal.aborted) await lastChance(run, ready, work);
  else {
    quit.abort(new DeadlineError('toolMs', ms));
    expectLate(run, ready, work);
    await settleCall(run, ready, { text: RESULT_TEXTS['timed-out'], error: true, placeholder: true, ms });
  }
  span.end(new Error('interrupted'));
  return [];
}

/** Never rejects, so that a rejected wait can only mean a timeout or stop. */
async function execute(run: RunScope, { tool, input, started }: ReadyCall, signal: AbortSignal): Promise<Ended> {
  const { turn, callId, key } = started;
  try {
    const value = await tool.run(input as never, { session: run.session, turn, callId, key, signal });
    return value instanceof ChildWaits ? { kind: 'waits', child: value } : { kind: 'value', value };
  } catch (error) {
    return { kind: 'error', error };
  }
}

async function lastChance(run: RunScope, ready: ReadyCall, work: Promise<Ended>): Promise<void> {
  const ended = await run.within(work, 'settleMs').catch(() => undefined);
  if (ended?.kind === 'value') await settleCall(run, ready, toResult(ended));
  else if (ended === undefined) expectLate(run, ready, work);
}

type Result = Pick<SettledData, 'text' | 'error' | 'placeholder' | 'ms' | 'late'>;

function toResult(ended: Exclude<Ended, { kind: 'waits' }>): Result {
  if (ended.kind === 'value') return { text: toText(ended.value) };
  const { error } = ended;
  const text = toText(error);
  return { text: text === '' ? 'the tool failed and did not say why' : text, error: true };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  // Also recognises errors of another realm, as in some test runners and plugins.
  if (types.isNativeError(value) || isError(value)) return nameOf(value);
  try {
    const text = JSON.stringify(value) ?? '';
    return text === '{}' && !isPlain(value) ? shownValue(value) : text;
  } catch {
    return shownValue(value);
  }
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

const isPlain = (value: unknown): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Makes large integers, cycles, maps and sets representable in JSON. */
function shownValue(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  try {
    return inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null });
  } catch {
    return nameOf(value);
  }
}

async function settleCall(run: RunScope, { started: { callId, tool } }: ReadyCall, result: Result): Promise<void> {
  await run.log.append(settledRecord({ callId, tool, ...result }));
  tellSettled(run, { callId, tool }, result);
}

function tellSettled(run: RunScope, { callId, tool }: Pick<SettledData, 'callId' | 'tool'>, result: Result): void {
  run.emit({
    kind: 'call-settled',
    callId,
    tool,
    text: result.text,
    error: result.error === true,
    late: result.late === true,
  });
}

/** Some models reuse ids. A late result must not answer a different open call. */
function isIdTaken(records: readonly SessionRecord[], { callId, key }: StartedData): boolean {
  return standingOf(records).open.some((call) => call.callId === callId && call.started?.key !== key);
}

const MOST_ATTEMPTS = 5;

/** Checks again if another process has written meanwhile, because the check must hold for the write. */
async function settleLate(run: RunScope, ready: ReadyCall, result: Result): Promise<void> {
  const { callId, tool } = ready.started;
  for (let attempt = 1; ; attempt += 1) {
    const wasOver = run.over;
    const records = await run.recordsNow();
    if (isIdTaken(records, ready.started)) throw new Error('another call has its id by now');
    if (!run.over) return settleCall(run, ready, result);
    if (!wasOver) continue;
    try {
      await run.appendAfterwards(settledRecord({ callId, tool, ...result }), records.at(-1)?.seq ?? 0);
      return tellSettled(run, { callId, tool }, result);
    } catch (error) {
      const moved = StoreError.is(error) && error.code === 'conflict' && error.details.expected !== undefined;
      if (!moved || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** A tool that ends after its call was closed still has an outcome, which replaces the unknown one. */
function expectLate(run: RunScope, ready: ReadyCall, work: Promise<Ended>): void {
  const record = async (): Promise<void> => {
    const ended = await work;
    if (ended.kind !== 'value') return;
    await settleLate(run, ready, { ...toResult(ended), late: true });
  };
  record().catch((error: unknown) => {
    run.tell({ level: 'warn', event: 'late-result-lost', callId: ready.started.callId, error: String(error) });
  });
}
