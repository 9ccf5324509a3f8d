import { DeadlineError, within } from './deadlines.ts';
import { ModelError, type ModelEvent, type ModelRequest } from './model-port.ts';
import type { RunScope } from './run-scope.ts';
import { asText, Shown } from './streamed-text.ts';

export type End = Extract<ModelEvent, { kind: 'end' }>;

/** An answer and its part that was not shown yet. */
export type Asked = { readonly end: End; readonly shown: Shown };

/** Sends one request and receives the answer. Rejects with a `ModelError` or with the reason of the stop. */
export async function ask(run: RunScope, request: ModelRequest, stream: boolean): Promise<Asked> {
  const { port, clock, deadlines } = run.settings;
  const quit = new AbortController();
  const signal = AbortSignal.any([run.signal, quit.signal]);
  const shown = new Shown(run);
  const due = clock.now() + deadlines.requestMs;
  const events = open(() => port.call(request, { signal, stream, clock, log: (line) => run.tell(line) }));
  let begun = false;
  let next: Promise<IteratorResult<ModelEvent>> | undefined;
  try {
    for (;;) {
      next = events.next();
      const event = await within(next, { ...patience(run, { stream, begun, due }), signal: run.signal });
      if (event.done === true) throw new ModelError('cut', 'the answer ended before it was complete');
      if (!begun) await run.go('streaming');
      begun = true;
      const { value } = event;
      if (value.kind === 'end') return { end: value, shown };
      if (value.kind !== 'begin' && value.kind !== 'alive') await shown.add(value);
    }
  } catch (error) {
    quit.abort(error);
    const failed = await failureOf(run, error, { events, next, shown });
    const partial = failed.partial.length > 0 ? failed.partial : salvaged(run, shown);
    // An attempt without output keeps what was shown of the previous one.
    if (partial.length > 0) run.partial = partial;
    await shown.end();
    throw run.signal.aborted ? (run.signal.reason as Error) : failed.error;
  } finally {
    // Not awaited: a port that does not end is abandoned and its client discarded.
    leave(events);
  }
}

/** Abandons an answer and ignores its errors. */
export function leave(events: AsyncIterator<ModelEvent>): void {
  const end = async (): Promise<unknown> => events.return?.();
  end().catch(() => undefined);
}

function open(call: () => AsyncIterable<ModelEvent>): AsyncIterator<ModelEvent> {
  try {
    return call()[Symbol.asyncIterator]();
  } catch (error) {
    return { next: () => Promise.reject(error) };
  }
}

type Progress = { readonly stream: boolean; readonly begun: boolean; readonly due: number };

/** The limit for the next event: the shorter of two deadlines. */
export function patience(run: RunScope, { stream, begun, due }: Progress): Parameters<typeof within>[1] {
  const { clock, deadlines } = run.settings;
  const left = Math.max(0, due - clock.now());
  const deadline = begun ? 'idleMs' : 'firstMs';
  const silence = stream ? deadlines[deadline] : Infinity;
  return silence < left ? { clock, deadline, ms: silence } : { clock, deadline: 'requestMs', ms: left };
}

type Failure = { readonly error: Error; readonly partial: readonly unknown[] };

/** The error, and the port's partial answer. */
async function failureOf(run: RunScope, error: unknown, open: Open): Promise<Failure> {
  if (error instanceof ModelError) return { error, partial: error.partial };
  const silent = error instanceof DeadlineError && ['firstMs', 'idleMs', 'requestMs'].includes(error.deadline);
  if (!silent && !run.signal.aborted) return { error: asModelError(error), partial: [] };
  const kept = await lastWords(run, open);
  if (!silent) return { error: error as Error, partial: kept };
  const kind = error.deadline === 'firstMs' ? 'read' : 'stalled';
  return { error: new ModelError(kind, error.message, { partial: kept, cause: error }), partial: kept };
}

/** Store and loop errors pass unchanged; anything else a port throws is the port's fault. */
function asModelError(error: unknown): Error {
  if (error instanceof Error && /^(StoreError|AgentError|DeadlineError)$/.test(error.name)) return error;
  return new ModelError('malformed', error instanceof Error ? error.message : String(error), { cause: error });
}

type Open = {
  readonly events: AsyncIterator<ModelEvent>;
  readonly next: Promise<IteratorResult<ModelEvent>> | undefined;
  readonly shown: Shown;
};

/** After a stop, a port has a little time to return its partial answer. */
async function lastWords(run: RunScope, open: Open): Promise<readonly unknown[]> {
  try {
    return await run.within(drain(open), 'settleMs');
  } catch (error) {
    return error instanceof ModelError ? error.partial : [];
  }
}

/** Keeps pending events, although nobody sees them. */
async function drain({ events, next, shown }: Open): Promise<readonly unknown[]> {
  for (let event = await (next ?? events.next()); event.done !== true; event = await events.next()) {
    const { value } = event;
    if (value.kind === 'end') return value.messages;
    if (value.kind !== 'begin' && value.kind !== 'alive') shown.pieces.push(value);
  }
  return [];
}

/** If there is no partial message, keeps the shown text. */
function salvaged(run: RunScope, { pieces }: Shown): readonly unknown[] {
  const text = asText(pieces);
  return text === '' ? [] : [wireText(run, 'assistant', text)];
}

export function wireText(run: RunScope, role: 'user' | 'assistant', text: string): unknown {
  return run.settings.port.message?.(role, text) ?? { role, content: text };
}
