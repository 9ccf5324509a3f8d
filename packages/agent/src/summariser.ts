import type { SummaryModel } from '@rethread/core';

import { leave, patience, wireText, type End } from './ask.ts';
import { DeadlineError, pause, within } from './deadlines.ts';
import { ModelError, type ModelRequest } from './model-port.ts';
import { delayMs, isNetworkFault, remedyFor, type Tried } from './retry.ts';
import type { RunScope } from './run-scope.ts';
import { textIn } from './standing.ts';

const MOST_ATTEMPTS = 3;

/** Lets the agent's model write summaries: without tools, and nothing shown or recorded. */
export function summariser(run: RunScope, signal: AbortSignal): SummaryModel {
  const { port, stream, maxTokens } = run.settings;
  return async ({ system, text }) => {
    const request: ModelRequest = {
      messages: [wireText(run, 'user', text.toWellFormed())],
      system,
      tools: [],
      // The agent's usual output limit, because reasoning counts for some models.
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
    let tried: Tried = { attempts: 0, repaired: true, shortened: true, whole: !stream };
    for (;;) {
      try {
        const { messages } = await askQuietly(run, request, { signal, stream: !tried.whole });
        return textIn(messages, port.target.dialect);
      } catch (error) {
        tried = await nextAttempt(run, { error, signal }, { ...tried, attempts: tried.attempts + 1 });
      }
    }
  };
}

type How = { readonly signal: AbortSignal; readonly stream: boolean };

async function askQuietly(run: RunScope, request: ModelRequest, { signal, stream }: How): Promise<End> {
  const { port, clock, deadlines } = run.settings;
  const quit = new AbortController();
  const due = clock.now() + deadlines.requestMs;
  const log = run.tell.bind(run);
  const call = { signal: AbortSignal.any([signal, quit.signal]), stream, clock, log };
  const events = port.call(request, call)[Symbol.asyncIterator]();
  try {
    for (let begun = false; ; begun = true) {
      const event = await within(events.next(), { ...patience(run, { stream, begun, due }), signal });
      if (event.done === true) throw new ModelError('cut', 'the summary ended before it was complete');
      if (event.value.kind === 'end') return event.value;
    }
  } catch (error) {
    quit.abort(error);
    if (!(error instanceof DeadlineError)) throw error;
    throw new ModelError(error.deadline === 'firstMs' ? 'read' : 'stalled', error.message, { cause: error });
  } finally {
    // Not awaited: a port that does not end is abandoned.
    leave(events);
  }
}

type Failed = { readonly error: unknown; readonly signal: AbortSignal };

/** Waits for another attempt if one may help; otherwise throws, marked if the prompt was too long. */
async function nextAttempt(run: RunScope, { error, signal }: Failed, tried: Tried): Promise<Tried> {
  signal.throwIfAborted();
  if (!(error instanceof ModelError)) throw error;
  const { retry, random, clock } = run.settings;
  const limits = { ...retry, attempts: Math.min(MOST_ATTEMPTS, retry.attempts) };
  const remedy = remedyFor(error, tried, limits);
  if (remedy !== 'again' && remedy !== 'whole') {
    throw Object.assign(new Error(error.message, { cause: error }), { overflow: error.kind === 'overflow' });
  }
  if (isNetworkFault(error)) await run.renew();
  if (remedy === 'whole') return { ...tried, whole: true };
  await pause(delayMs(error, tried.attempts, { ...limits, random }), clock, signal);
  return tried;
}
