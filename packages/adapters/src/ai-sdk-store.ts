import { randomUUID } from 'node:crypto';

import { type NewRecord, type Session, StoreError } from '@rethread/store';
import { safeValidateUIMessages, type UIMessage, type UIMessageChunk } from 'ai';

import { repairUIMessages } from './ai-sdk.ts';
import { liveStream, startLive } from './live-stream.ts';
import { settle } from './settle-stream.ts';
import { streamResponse } from './stream-response.ts';
import {
  type LoggedMessage,
  type LoggedStream,
  messagesIn,
  newestStream,
  streamNote,
  toRecords,
} from './ui-stream-log.ts';

export type { StreamEnd } from './ui-stream-log.ts';

/** A stream of UI message parts, or a result of `streamText`, which can make one. */
type Running = ReadableStream<UIMessageChunk> | { toUIMessageStream(options?: object): ReadableStream<UIMessageChunk> };

export type DurableStreamOptions<M extends UIMessage> = {
  /**
   * The new message from the client: the user's, or the assistant's with answers to its calls. Without one, the history
   * is answered as it is, which continues an interrupted turn.
   */
  readonly message?: M;
  /** Answers the history before this message again (the trigger `regenerate-message` of `useChat`). */
  readonly regenerate?: string;
  /** Starts the model. The messages are repaired; `signal` aborts when `stopStream` is called. */
  readonly run: (given: { readonly messages: M[]; readonly signal: AbortSignal }) => Running | Promise<Running>;
  /** What `validateUIMessages` checks in the new message: `tools`, `dataSchemas`, `metadataSchema`. */
  readonly validate?: object;
  /** Keeps a serverless function alive until the reply is stored, such as `ctx.waitUntil`. */
  readonly waitUntil?: (work: Promise<void>) => void;
  /** The text that the client sees for an error of the model (default: `An error occurred.`). */
  readonly onError?: (error: unknown) => string;
};

/**
 * Stores the message, runs the model, and answers with its parts. Each part is in the store before it is sent, so a
 * refresh, a second tab and another process can continue from there. A client that disconnects stops nothing.
 */
export async function durableStream<M extends UIMessage>(
  session: Session,
  options: DurableStreamOptions<M>,
): Promise<Response> {
  const fault = await faultOf(options);
  if (fault !== undefined) return new Response(fault, { status: 400 });
  const state = await settle(session);
  const before = await session.load();
  const stored = messagesIn<M>(before);
  const answered = answerTo(options, stored, newestStream(before));
  // The client repeats a request whose answer it did not get.
  if (answered !== undefined) return streamResponse(session, { id: answered.id, after: answered.seq });
  if (state === 'live') return busy();
  if (stored.length === 0 && options.message === undefined) {
    return new Response('there is no message to answer', { status: 400 });
  }
  const { message } = options;
  const continued = message?.role === 'assistant' ? message : undefined;
  const stream = { id: randomUUID(), messageId: continued?.id ?? randomUUID() };
  const records = [
    ...changesIn(options, stored),
    streamNote({ stream: stream.id, begin: { messageId: stream.messageId } }),
  ];
  const begun = session.append(records, { expect: before.at(-1)?.seq ?? 0 });
  const { onError = () => 'An error occurred.' } = options;
  const reply = { session, ...stream, before: continued, onError };
  const live = startLive(reply, begun, () => started(session, options));
  options.waitUntil?.(live.done);
  try {
    const { seq } = await begun;
    return streamResponse(session, { id: stream.id, after: seq });
  } catch (error) {
    // Another request was first.
    if (StoreError.is(error) && error.code === 'conflict') return busy();
    throw error;
  }
}

/** The reply that answers the message already, finished or still being written. */
function answerTo<M extends UIMessage>(
  { message, regenerate }: DurableStreamOptions<M>,
  stored: readonly LoggedMessage<M>[],
  stream: LoggedStream | undefined,
): LoggedStream | undefined {
  if (message === undefined || regenerate !== undefined || stream === undefined) return undefined;
  const asked = stored.findLast((each) => each.message.id !== stream.messageId)?.message;
  const isAnswered = stream.end === undefined || stream.end === 'finished';
  return message.role === 'user' && isAnswered && isStored(message, asked) ? stream : undefined;
}

/** The records that bring the history to what shall be answered. */
function changesIn<M extends UIMessage>(
  { message, regenerate }: DurableStreamOptions<M>,
  stored: readonly LoggedMessage<M>[],
): readonly NewRecord[] {
  const again = stored.find((each) => each.message.id === regenerate);
  if (again !== undefined) return [{ kind: 'revert', data: { to: again.seq - 1 } }];
  if (message === undefined || isStored(message, stored.at(-1)?.message)) return [];
  return toRecords(message, stored);
}

/**
 * Answers a client that reconnects: with the parts after its cursor, or with all parts of a reply that is still being
 * written. 204 means that nothing is being written. The cursor is the `id` of the last event that the client got.
 */
export async function resumeStream(session: Session, cursor?: string | null): Promise<Response> {
  await settle(session);
  const stream = newestStream(await session.load());
  if (stream === undefined) return new Response(null, { status: 204 });
  if (typeof cursor !== 'string') {
    if (stream.end !== undefined) return new Response(null, { status: 204 });
    return streamResponse(session, { id: stream.id, after: stream.seq });
  }
  const [seq = 0, part = 0] = cursor.split('.').map(Number);
  if (!Number.isSafeInteger(seq) || !Number.isSafeInteger(part) || seq < 0)
    return new Response('invalid cursor', { status: 400 });
  return streamResponse(session, { id: stream.id, after: Math.max(seq - 1, stream.seq), sent: { seq, part } });
}

/** Stops the reply that this process is writing, and resolves when it is stored. False if it writes none. */
export async function stopStream(session: Session): Promise<boolean> {
  const stream = newestStream(await session.load());
  const live = stream === undefined ? undefined : liveStream(stream.id);
  live?.stop();
  await live?.done;
  return live !== undefined;
}

/** The messages to show. A reply that was interrupted by the death of its process is stored as it was shown. */
export async function loadUIMessages<M extends UIMessage>(session: Session): Promise<M[]> {
  await settle(session);
  return messagesIn<M>(await session.load()).map(({ message }) => message);
}

async function started<M extends UIMessage>(
  session: Session,
  { run, onError }: DurableStreamOptions<M>,
): Promise<(signal: AbortSignal) => Promise<ReadableStream<UIMessageChunk>>> {
  const stored = messagesIn<M>(await session.load()).map(({ message }) => message);
  const { messages } = repairUIMessages(stored);
  return async (signal) => {
    const running = await run({ messages, signal });
    if (!('toUIMessageStream' in running)) return running;
    return running.toUIMessageStream({ originalMessages: messages, ...(onError === undefined ? {} : { onError }) });
  };
}

async function faultOf<M extends UIMessage>({
  message,
  validate,
}: DurableStreamOptions<M>): Promise<string | undefined> {
  if (message === undefined) return undefined;
  const checked = await safeValidateUIMessages({ messages: [message], ...validate });
  if (!checked.success) return `the message is not valid: ${checked.error.message}`;
  if (typeof message.id !== 'string' || message.id === '') return 'the message has no id';
  return message.role === 'system' ? 'a client must not send system messages' : undefined;
}

const isStored = (message: UIMessage, stored: UIMessage | undefined): boolean =>
  stored !== undefined && JSON.stringify(stored) === JSON.stringify(message);

const busy = (): Response => new Response('a reply is being written to this session', { status: 409 });
