import { ask, type Asked } from './ask.ts';
import { AgentError } from './agent-error.ts';
import { pause } from './deadlines.ts';
import { answerRecords } from './answer-records.ts';
import { learn } from './learned-refusals.ts';
import { noteRecord } from './log-records.ts';
import type { NewRecord } from '@rethread/store';
import { ModelError, type Stop, type Usage } from './model-port.ts';
import { isRepairOff } from './unrepaired-messages.ts';
import { nextRequest } from './request.ts';
import { delayMs, isNetworkFault, remedyFor, type Tried } from './retry.ts';
import type { RunScope } from './run-scope.ts';
import { shorten } from './compact-session.ts';
import { callsIn, textIn, type Call } from './standing.ts';

/** The model's recorded answer. */
export type Answer = {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly stop: Stop;
  readonly usage: Usage | undefined;
};

/** One request and its answer. `causes` is recorded together with the intent to ask. */
export async function step(run: RunScope, causes: readonly NewRecord[]): Promise<Answer> {
  run.step += 1;
  run.steps += 1;
  if (run.steps > run.settings.maxSteps) {
    throw new AgentError('too-many-steps', `no final answer after ${run.settings.maxSteps} requests`);
  }
  await run.go('awaiting-model', {}, ...causes);
  const span = run.settings.tracing.span(`chat ${run.settings.port.name}`, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': run.settings.port.target.model,
    'gen_ai.conversation.id': run.session,
  });
  try {
    const asked = await askUntilAnswered(run);
    const { usage, responseId, responseModel, stop } = asked.end;
    span.set({
      'gen_ai.usage.input_tokens': usage?.input,
      'gen_ai.usage.output_tokens': usage?.output,
      'gen_ai.response.id': responseId,
      'gen_ai.response.model': responseModel,
      'gen_ai.response.finish_reasons': stop,
    });
    const answer = await record(run, asked);
    span.end();
    return answer;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The answer and its next state are one write, so nobody sees only one of them. */
async function record(run: RunScope, { end, shown }: Asked): Promise<Answer> {
  const { dialect } = run.settings.port.target;
  const { messages, stop, usage } = end;
  // Until it is recorded, it counts as a partial answer and is kept even if the write fails.
  run.partial = messages;
  const rest = await shown.end();
  // An incomplete input cannot be recognised, and a missing one looks empty.
  const cut = stop === 'length' || stop === 'refusal';
  const calls = callsIn(messages, dialect, cut);
  const text = textIn(messages, dialect);
  const said = answerRecords(run, messages, {
    last: { ...(usage === undefined ? {} : { usage }), ...(cut ? { cut } : {}) },
  });
  const state = calls.length > 0 ? 'waiting-for-tools' : stop === 'pause' ? 'awaiting-model' : 'complete';
  await run.go(state, { stop }, ...said);
  run.partial = [];
  for (const piece of rest) run.emit(piece);
  run.emit({ kind: 'answer', messages, text, stop, ...(usage === undefined ? {} : { usage }) });
  return { text, calls, stop, usage };
}

/** Asks until there is an answer or no remedy for an error. */
async function askUntilAnswered(run: RunScope): Promise<Asked> {
  let tried: Tried = {
    attempts: 0,
    // Without repair, a refused history would be refused again.
    repaired: isRepairOff(run.settings.env),
    shortened: false,
    whole: !run.settings.stream,
  };
  for (;;) {
    try {
      const request = await nextRequest(run);
      run.signal.throwIfAborted();
      run.sent = request.messages;
      const asked = await ask(run, request, !tried.whole);
      const { usage } = asked.end;
      if (usage !== undefined) run.counted = { request, usage };
      return asked;
    } catch (error) {
      if (!(error instanceof ModelError) || run.signal.aborted) throw error;
      tried = await prepareNextAttempt(run, error, { ...tried, attempts: tried.attempts + 1 });
    }
  }
}

/** The same error, with what was done about it. */
function stillTooLong(error: ModelError, { shortened }: Tried): ModelError {
  const { kind, message, status, body, partial } = error;
  const done = shortened ? 'it was made shorter once, and is still too long' : 'nothing in it could be made shorter';
  return new ModelError(kind, `the history is too long for the model, and ${done}: ${message}`, {
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { body }),
    partial,
    cause: error,
  });
}

/** Applies the remedy for an error, or throws it. */
async function prepareNextAttempt(run: RunScope, error: ModelError, tried: Tried): Promise<Tried> {
  const { retry, random, clock } = run.settings;
  const remedy = remedyFor(error, tried, retry);
  const { kind, status, body } = error;
  run.tell({ level: 'warn', event: 'request-failed', error: kind, status, body, remedy, attempt: tried.attempts });
  // Even if it is too late for this request, the next run must not repeat it.
  if (kind === 'refused-history' && !isRepairOff(run.settings.env)) {
    await learn(run, error, tried.repaired);
  }
  if (remedy === 'give-up') throw kind === 'overflow' ? stillTooLong(error, tried) : error;
  if (isNetworkFault(error)) await run.renew();
  const about = { ...run.place, why: kind, attempt: tried.attempts };
  if (remedy === 'repair') return { ...tried, repaired: true };
  if (remedy === 'shorten') {
    if (!(await shorten(run, { usage: undefined, overflow: true }))) throw stillTooLong(error, tried);
    await run.go('awaiting-model', {}, noteRecord({ about: 'retry', ...about }));
    return { ...tried, shortened: true };
  }
  if (remedy === 'whole') {
    await run.go('awaiting-model', {}, noteRecord({ about: 'fallback', ...about }));
    run.emit({ kind: 'fallback', why: kind });
    return { ...tried, whole: true };
  }
  const ms = delayMs(error, tried.attempts, { ...retry, random });
  await run.go('awaiting-model', {}, noteRecord({ about: 'retry', ...about }));
  run.emit({ kind: 'retry', attempt: tried.attempts, delayMs: ms, why: kind });
  await pause(ms, clock, run.signal);
  return tried;
}
