import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { RESULT_TEXTS } from '@rethread/core';
import { StoreError, type NewRecord, type Session } from '@rethread/store';

import { CallLedger, type Effect, type LedgerCall } from './call-ledger.ts';

export type { Effect } from './call-ledger.ts';

export type DurableCall = {
  readonly callId: string;
  /** The same for every run of this call, in any process. Hand it to an API that recognises repeated requests. */
  readonly key: string;
  /** The framework's signal; it aborts when the run is stopped. */
  readonly signal: AbortSignal | undefined;
};

/** What a framework passes to a tool after its input. */
type FrameworkContext = readonly unknown[];

export type DurableToolOptions<Input, Output> = {
  /** The session, or a function that finds it from what the framework passes after the input. */
  readonly session: Session | ((...context: FrameworkContext) => Session | Promise<Session>);
  /** The tool's name for the record (default: the name the framework passes). */
  readonly name?: string;
  /**
   * What running it twice means. `read`: it changes nothing. `idempotent`: twice equals once. `keyed`: the other side
   * recognises the key. `once` (default): it must not run again after it may have run.
   */
  readonly effect?: Effect;
  readonly run: (input: Input, call: DurableCall) => Output | Promise<Output>;
  /** The answer for a call that may have run and must not run again (default: a text that says so). */
  readonly onUnknown?: (call: LedgerCall) => Output | Promise<Output>;
};

/** Runs of this process by the name of the run, so that a second caller of the same call waits for the first. */
const running = new Map<string, Promise<unknown>>();
const ledgers = new WeakMap<Session, CallLedger>();

export function ledgerOf(session: Session): CallLedger {
  const ledger = ledgers.get(session) ?? new CallLedger(session);
  ledgers.set(session, ledger);
  return ledger;
}

/**
 * Makes the function of a tool that is safe to resume. The call is on record before it runs, and its result as soon as
 * it is there. A call that is already settled returns its recorded result and does not run again. Use it as `execute`
 * of the AI SDK or the OpenAI Agents SDK, or as the function of a LangChain tool.
 */
export function durableTool<Input, Output>(
  options: DurableToolOptions<Input, Output>,
): (input: Input, ...context: FrameworkContext) => Promise<Output> {
  const { effect = 'once' } = options;
  if (!['read', 'idempotent', 'keyed', 'once'].includes(effect)) {
    throw new TypeError(`unknown effect ${JSON.stringify(effect)}; use read, idempotent, keyed or once`);
  }
  return async (input, ...context) => {
    const { callId, tool, signal } = readContext(context);
    if (callId === undefined) {
      throw new TypeError('durableTool found no call id in what the framework passed after the input');
    }
    const session = typeof options.session === 'function' ? await options.session(...context) : options.session;
    const name = options.name ?? tool ?? '';
    const request = { session, ledger: ledgerOf(session), callId, name, input, signal, effect };
    // Every recorded output came from `run` of this tool.
    return (await settle(request, options as unknown as Steps)) as Output;
  };
}

type Steps = Pick<DurableToolOptions<unknown, unknown>, 'run' | 'onUnknown'>;

type Request = {
  readonly session: Session;
  readonly ledger: CallLedger;
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly effect: Effect;
};

async function settle(given: Request, steps: Steps): Promise<unknown> {
  const request = await asRecorded(given);
  const mine = randomUUID();
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
  // Others may read the record of the start before this function does, and then wait for the outcome.
  running.set(mine, outcome);
  // The caller below gets the error; usually nobody else waits.
  outcome.catch(() => undefined);
  try {
    const call = (await request.ledger.find(request.callId)) ?? (await start(request, mine));
    if (call.settled !== undefined && request.effect !== 'read') return replay(call.settled);
    if (call.run === mine) {
      const work = run(request, call, steps);
      resolve(work);
      return await work;
    }
    return await runAgain(request, call, steps);
  } finally {
    running.delete(mine);
  }
}

/** Records the start. If another caller was first, its record counts. */
async function start(
  { session, ledger, callId, name: tool, input, effect }: Request,
  run: string,
): Promise<LedgerCall> {
  const key = keyOf(session.id, callId);
  await session.append({ kind: 'call.started', data: { callId, tool, input, key, effect, run } });
  const call = await ledger.find(callId);
  if (call === undefined) throw new Error(`the record of call ${callId} cannot be read`);
  return call;
}

/** A call that was started before: waits for it if it still runs here, or decides by its effect. */
async function runAgain(request: Request, call: LedgerCall, steps: Steps): Promise<unknown> {
  const other = running.get(call.run);
  if (other !== undefined) return other;
  const work = mayRunAgain(call, request.effect) ? run(request, call, steps) : unknown(request, call, steps);
  running.set(call.run, work);
  try {
    return await work;
  } finally {
    running.delete(call.run);
  }
}

/**
 * Some providers use call ids again. A call with another input is another call, so it gets a number behind its id.
 */
async function asRecorded(request: Request): Promise<Request> {
  for (let copy = 1; ; copy += 1) {
    const callId = copy === 1 ? request.callId : `${request.callId}#${copy}`;
    const known = await request.ledger.find(callId);
    if (known === undefined || isSameCall(known, request)) return { ...request, callId };
  }
}

function isSameCall({ tool, input }: LedgerCall, request: Request): boolean {
  const stored: unknown = JSON.parse(JSON.stringify(request.input ?? null));
  return tool === request.name && isDeepStrictEqual(input ?? null, stored);
}

/** The stricter of the effect at the start and the effect now decides. */
function mayRunAgain(call: LedgerCall, now: Effect): boolean {
  const both = [call.effect, now];
  return both.every((effect) => ['read', 'idempotent', 'keyed'].includes(effect));
}

function replay(settled: NonNullable<LedgerCall['settled']>): unknown {
  if ('error' in settled) throw new Error(settled.error);
  return settled.output;
}

async function unknown(request: Request, call: LedgerCall, { onUnknown }: Steps): Promise<unknown> {
  const output = onUnknown === undefined ? RESULT_TEXTS.started : await onUnknown(call);
  await record(request, { output });
  return output;
}

async function run(request: Request, { key }: LedgerCall, steps: Steps): Promise<unknown> {
  const { callId, input, signal } = request;
  let output: unknown;
  try {
    output = await steps.run(input, { callId, key, signal });
  } catch (error) {
    // A tool that was stopped half-way stays open: nobody knows what it did.
    if (signal?.aborted !== true) await record(request, { error: messageOf(error) });
    throw error;
  }
  await record(request, { output: output ?? null });
  return output;
}

/** The record has no `text`: the framework's own message holds the result, and the history must not hold it twice. */
async function record({ session, callId, name }: Request, settled: object): Promise<void> {
  const settle = (data: object): NewRecord => ({ kind: 'call.settled', data: { callId, tool: name, ...data } });
  try {
    await session.append(settle(settled));
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'unstorable') throw error;
    await session.append(settle({ error: `the call ran, but its result could not be stored: ${error.message}` }));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const keyOf = (session: string, callId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([session, callId]))
    .digest('hex')
    .slice(0, 32);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Frameworks pass the call id, the tool's name and their signal in different places. */
function readContext(context: FrameworkContext): {
  readonly callId: string | undefined;
  readonly tool: string | undefined;
  readonly signal: AbortSignal | undefined;
} {
  const all = context.filter(isFields);
  const calls = [...all, ...all.map(({ toolCall }) => toolCall).filter(isFields)];
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => calls.map((call) => call[name])).find((value) => typeof value === 'string');
  const signal = all
    .flatMap((each) => [each['abortSignal'], each['signal']])
    .find((each) => each instanceof AbortSignal);
  // The AI SDK says toolCallId, the OpenAI Agents SDK toolCall.callId, LangChain toolCall.id.
  return { callId: first(['toolCallId', 'callId', 'id']), tool: first(['toolName', 'name']), signal };
}
