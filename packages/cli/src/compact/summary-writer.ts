import { setTimeout as wait } from 'node:timers/promises';

import { ModelError, type ModelPort, realClock } from '@rethread/agent';
import { decode, type SummaryModel } from '@rethread/core';

import { portTo, readModel } from '../chat/model.ts';
import { Unreadable } from '../unreadable.ts';

/** Who writes the summary: a model by its name, or nobody, and why not the one that was asked for. */
export type SummaryWriter =
  | { readonly name: string; readonly model: SummaryModel }
  | { readonly name?: undefined; readonly why: string | undefined };

const longestMs = 180_000;
const longestWaitMs = 20_000;
const mostAttempts = 3;
const passing: readonly string[] = ['connect', 'read', 'stalled', 'cut', 'rate', 'overloaded', 'server'];

/** The model that the environment is set up for, found as `rethread chat` finds it. */
export async function summaryWriter(
  env: Readonly<Record<string, string | undefined>>,
  wanted?: string,
): Promise<SummaryWriter> {
  try {
    const found = readModel(wanted, env);
    return { name: found.name, model: asking(await portTo(found, env)) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { why: error.message };
  }
}

function asking(port: ModelPort): SummaryModel {
  return async ({ system, text }) => {
    const words = text.toWellFormed();
    const messages = [port.message?.('user', words) ?? { role: 'user', content: words }];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(port, { messages, system });
      } catch (error) {
        await beforeNext(error, attempt);
      }
    }
  };
}

async function ask(port: ModelPort, request: { messages: readonly unknown[]; system: string }): Promise<string> {
  const options = { signal: AbortSignal.timeout(longestMs), stream: true, clock: realClock, log: () => undefined };
  for await (const event of port.call({ ...request, tools: [] }, options)) {
    if (event.kind !== 'end') continue;
    const parts = decode(event.messages, port.target.dialect)?.messages.flatMap((message) => message.parts) ?? [];
    return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  }
  throw new ModelError('cut', 'the summary ended before it was whole');
}

/** Waits where another attempt may help, and throws where it will not, with a mark where the prompt was too long. */
async function beforeNext(error: unknown, attempt: number): Promise<void> {
  if (!(error instanceof ModelError)) throw error;
  if (attempt >= mostAttempts || !passing.includes(error.kind)) {
    throw Object.assign(new Error(error.message, { cause: error }), { overflow: error.kind === 'overflow' });
  }
  await wait(Math.min(error.retryAfterMs ?? 500 * 2 ** attempt, longestWaitMs));
}
