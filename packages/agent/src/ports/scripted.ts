import type { Piece } from '../events.ts';
import {
  ModelError,
  type CallOptions,
  type ModelEvent,
  type ModelPort,
  type ModelRequest,
  type PortTarget,
  type Stop,
  type Usage,
} from '../model-port.ts';
import { writeSaid, type Said } from './scripted-wire.ts';

/** One scripted answer and its fault. */
export type ScriptedReply = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly input?: unknown }[];
  readonly stop?: Stop;
  readonly usage?: Usage;
  /** Rejects with this after that many events. */
  readonly error?: ModelError;
  readonly errorAfter?: number;
  /** Stalls a stream after that many events, until it is aborted. */
  readonly hangAfter?: number;
  /** Ignores even an abort. */
  readonly deaf?: boolean;
};

export type ScriptedOptions = {
  readonly target?: PortTarget;
  /** A list of answers, or a function of the request. The last answer repeats. */
  readonly replies: readonly ScriptedReply[] | ((request: ModelRequest, count: number) => ScriptedReply);
  /** Receives every request. */
  readonly onRequest?: (request: ModelRequest, options: CallOptions) => void;
};

/** A scripted model for tests: no network, randomness or clock. */
export type ScriptedPort = ModelPort & {
  /** How often the client was discarded. */
  readonly renewals: () => number;
};

export function scripted({ target = { dialect: 'openai-chat' }, replies, onRequest }: ScriptedOptions): ScriptedPort {
  let count = 0;
  let renewed = 0;
  const replyTo = (request: ModelRequest): ScriptedReply => {
    count += 1;
    if (typeof replies === 'function') return replies(request, count);
    return replies[Math.min(count, replies.length) - 1] ?? {};
  };
  return {
    name: `scripted/${target.model ?? target.dialect}`,
    target,
    call: (request, options) => {
      onRequest?.(request, options);
      return speak(replyTo(request), target, options);
    },
    renew: () => {
      renewed += 1;
    },
    renewals: () => renewed,
  };
}

async function* speak(reply: ScriptedReply, target: PortTarget, options: CallOptions): AsyncGenerator<ModelEvent> {
  const { signal, stream } = options;
  const come: Piece[] = [];
  const partial = (): readonly unknown[] => writeSaid(saidIn(come), target.dialect);
  const stopped = (): ModelError => new ModelError('aborted', 'stopped', { partial: partial(), cause: signal.reason });
  const events = eventsOf(reply, target, stream);
  for (const [index, event] of events.entries()) {
    await Promise.resolve();
    if (reply.deaf !== true && signal.aborted) throw stopped();
    // An answer that fails does so before its end.
    if (reply.error !== undefined && index >= Math.min(reply.errorAfter ?? 0, events.length - 1))
      throw failed(reply.error, partial());
    if (stream && index >= (reply.hangAfter ?? Infinity)) {
      await silence(reply.deaf === true ? undefined : signal);
      throw stopped();
    }
    if (event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'call') come.push(event);
    yield event;
  }
}

function failed({ kind, message, status, retryAfterMs, body }: ModelError, partial: readonly unknown[]): ModelError {
  return new ModelError(kind, message, {
    partial,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(body === undefined ? {} : { body }),
  });
}

function silence(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

function eventsOf(reply: ScriptedReply, { dialect }: PortTarget, stream: boolean): readonly ModelEvent[] {
  const { reasoning = '', text = '', calls = [] } = reply;
  const made = calls.map(({ callId, tool, input = {} }) => ({ callId, tool, input: JSON.stringify(input) }));
  const stop = reply.stop ?? (calls.length > 0 ? 'calls' : 'end');
  const messages = writeSaid({ reasoning, text, calls: made }, dialect);
  const usage = reply.usage === undefined ? {} : { usage: reply.usage };
  const end: ModelEvent = { kind: 'end', messages, stop, ...usage };
  if (!stream) return [{ kind: 'begin' }, end];
  return [
    { kind: 'begin' },
    ...halves(reasoning).map((half): ModelEvent => ({ kind: 'reasoning', text: half })),
    ...halves(text).map((half): ModelEvent => ({ kind: 'text', text: half })),
    ...made.flatMap(({ input, ...call }) =>
      halves(input).map((fragment): ModelEvent => ({ kind: 'call', ...call, fragment })),
    ),
    end,
  ];
}

function saidIn(pieces: readonly Piece[]): Said {
  const calls = new Map<string, Said['calls'][number]>();
  let [reasoning, text] = ['', ''];
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    if (piece.kind === 'reasoning') reasoning += piece.text;
    if (piece.kind !== 'call') continue;
    const { callId, tool, fragment } = piece;
    calls.set(callId, { callId, tool, input: (calls.get(callId)?.input ?? '') + fragment });
  }
  return { reasoning, text, calls: [...calls.values()] };
}
