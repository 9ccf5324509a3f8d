import type { Session, Store } from '@rethread/store';
import { StoreError } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { EventFeed } from './event-feed.ts';
import type { AgentEvent, StopKind } from './events.ts';
import { ModelError } from './model-port.ts';
import { noteRecord } from './log-records.ts';
import { isNetworkFault } from './retry.ts';
import { RunScope } from './run-scope.ts';
import { SessionLog } from './session-log.ts';
import { settle } from './settle.ts';
import { within } from './deadlines.ts';
import type { RunToken, Settings } from './settings.ts';

export type RunOptions = {
  readonly signal?: AbortSignal;
  /** Names the input. Repeating it after an unknown outcome continues the turn it started. */
  readonly inputId?: string;
  /** What happens when a reader goes away: `continue` (default) or `abort` the run. */
  readonly onDisconnect?: 'continue' | 'abort';
};

/** One run of an agent. It proceeds by itself; iterating over it yields its events. */
export type Run<Result> = AsyncIterable<AgentEvent> & {
  readonly session: string;
  /** Rejects with the reason of the stop or failure. */
  readonly result: Promise<Result>;
  /** Stops the run. What arrived is kept, and the session can be resumed. */
  abort(reason?: unknown): void;
};

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new AgentError('aborted', typeof reason === 'string' ? reason : 'stopped', reason);

/** Runs work on a session and leaves the session in order, however the work ends. */
export function startRun<Result>(session: string, plan: RunPlan<Result>): Run<Result> {
  const { settings, work, options } = plan;
  const wishes: { by: StopKind; error: Error }[] = [];
  let scope: RunScope | undefined;
  const stop = (by: StopKind, error: Error): void => {
    wishes.push({ by, error });
    scope?.stop({ by, error });
  };
  const leave = (): void => {
    if (options.onDisconnect === 'abort') stop('disconnect', new AgentError('aborted', 'the reader went away'));
    else if (scope?.over === false) disconnected(scope);
  };
  const feed = new EventFeed<AgentEvent>(leave);
  const onAbort = (): void => {
    const error = toError(options.signal?.reason);
    stop(error.name === 'TimeoutError' ? 'deadline' : 'stop', error);
  };
  if (options.signal?.aborted === true) onAbort();
  else options.signal?.addEventListener('abort', onAbort);

  const token: RunToken = { session };
  const begin = async (): Promise<Result> => {
    const log = await openLog(settings, session, plan.begins);
    scope = new RunScope(settings, { log, token, emit: (event) => feed.push(event) });
    const [wish] = wishes;
    if (wish !== undefined) scope.stop(wish);
    return supervise(scope, work);
  };
  const result = alone(settings, token, begin).finally(() => {
    options.signal?.removeEventListener('abort', onAbort);
  });
  result.then(
    () => feed.close(),
    (error: unknown) => feed.close(error as Error),
  );
  return {
    session,
    result,
    abort: (reason) => stop('stop', toError(reason)),
    [Symbol.asyncIterator]: () => feed.read(),
  };
}

/** Starts a run, or returns one that was refused before it began. */
export function refusing<Result>(session: string, start: () => Run<Result>): Run<Result> {
  try {
    return start();
  } catch (error) {
    const feed = new EventFeed<AgentEvent>(() => undefined);
    const result = Promise.reject<Result>(error);
    // The error also reaches readers, so an unhandled result must not crash the process.
    result.catch(() => undefined);
    feed.close(error as Error);
    return { session, result, abort: () => undefined, [Symbol.asyncIterator]: () => feed.read() };
  }
}

export type RunPlan<Result> = {
  readonly settings: Settings;
  /** Whether to create a missing session. */
  readonly begins: boolean;
  readonly work: (run: RunScope) => Promise<Result>;
  readonly options: RunOptions;
};

/** One run per session and store; the store's lease excludes other processes. */
async function alone<T>({ running }: Settings, token: RunToken, begin: () => Promise<T>): Promise<T> {
  const { session } = token;
  if (running.has(session)) throw new AgentError('busy', `session ${JSON.stringify(session)} is in use by another run`);
  running.set(session, token);
  try {
    return await begin();
  } finally {
    running.delete(session);
  }
}

async function openLog(settings: Settings, id: string, begins: boolean): Promise<SessionLog> {
  const { store, clock, deadlines } = settings;
  const { storeMs } = deadlines;
  const opened = begins ? openOrCreate(store, id) : store.session(id);
  const session = await within(opened, { clock, deadline: 'storeMs', ms: storeMs });
  return new SessionLog(session, { clock, storeMs });
}

async function openOrCreate(store: Store, id: string): Promise<Session> {
  try {
    return await store.session(id);
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'missing') throw error;
  }
  try {
    return await store.create({ id });
  } catch (error) {
    // Somebody else was faster.
    if (!StoreError.is(error) || error.code !== 'exists') throw error;
    return store.session(id);
  }
}

/** The stop is recorded, then reported, then the client is discarded and the error thrown. */
async function supervise<Result>(run: RunScope, work: (run: RunScope) => Promise<Result>): Promise<Result> {
  const { clock, deadlines, port, tracing } = run.settings;
  const { turnMs } = deadlines;
  const late = (): void =>
    run.stop({ by: 'deadline', error: new AgentError('deadline', `the run took longer than ${turnMs} ms`) });
  const cancel = turnMs === Infinity ? undefined : clock.after(turnMs, late);
  const span = tracing.span('invoke_agent', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.request.model': port.target.model,
    'gen_ai.conversation.id': run.session,
  });
  try {
    run.signal.throwIfAborted();
    const result = await work(run);
    // A stop after the end of the turn has still interrupted a request.
    if (run.stopped !== undefined) await run.renew();
    span.end();
    return result;
  } catch (error) {
    const cause = run.stopped?.error ?? toError(error);
    run.fail(cause);
    await settle(run, cause);
    if (run.stopped !== undefined || (cause instanceof ModelError && isNetworkFault(cause))) await run.renew();
    span.end(cause);
    throw cause;
  } finally {
    cancel?.();
    run.over = true;
    await run.log.close().catch((error: unknown) => {
      run.tell({ level: 'warn', event: 'close-failed', error: String(error) });
    });
  }
}

/** The reader is gone, but the work continues, because another reader may come. */
function disconnected(run: RunScope): void {
  run.emit({ kind: 'disconnected' });
  run.log.append(noteRecord({ about: 'disconnected' })).catch((error: unknown) => {
    run.tell({ level: 'warn', event: 'note-lost', error: String(error) });
  });
}
