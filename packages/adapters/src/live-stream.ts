import type { Session } from '@rethread/store';
import type { UIMessage, UIMessageChunk } from 'ai';

import { merge, messagesIn, rebuild, type StreamEnd, streamNote, toRecords } from './ui-stream-log.ts';

/** A reply that this process is writing. */
export type LiveStream = { stop(): void; readonly done: Promise<void> };

const live = new Map<string, LiveStream>();

export const liveStream = (id: string): LiveStream | undefined => live.get(id);

type Reply = {
  readonly session: Session;
  readonly id: string;
  readonly messageId: string;
  /** The assistant message that the reply continues. */
  readonly before: UIMessage | undefined;
  /** The text that a client sees for an error. */
  readonly onError: (error: unknown) => string;
};

type Start = () => Promise<(signal: AbortSignal) => Promise<ReadableStream<UIMessageChunk>>>;

/**
 * Writes the parts of a reply to the store until it ends. The reply counts as live before its beginning is stored, so
 * that nobody takes it for that of a dead process.
 */
export function startLive(reply: Reply, begun: Promise<unknown>, start: Start): LiveStream {
  const quit = new AbortController();
  const write = async (): Promise<void> => {
    await begun;
    const log = new PartLog(reply);
    let end: StreamEnd = 'finished';
    try {
      end = await copy(await (await start())(quit.signal), log, { signal: quit.signal, messageId: reply.messageId });
    } catch (error) {
      end = quit.signal.aborted ? 'stopped' : 'failed';
      if (end === 'failed') log.push({ type: 'error', errorText: reply.onError(error) });
    }
    await log.end(end);
  };
  const done = write()
    // The store has failed or another process took over: the next reader settles what is stored.
    .catch(() => undefined)
    .finally(() => live.delete(reply.id));
  const stream = { stop: () => quit.abort(), done };
  live.set(reply.id, stream);
  return stream;
}

type Copying = { readonly signal: AbortSignal; readonly messageId: string };

async function copy(
  parts: ReadableStream<UIMessageChunk>,
  log: PartLog,
  { signal, messageId }: Copying,
): Promise<StreamEnd> {
  const reader = parts.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  let begun = false;
  let end: StreamEnd = 'finished';
  signal.addEventListener('abort', stop);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!begun && value.type !== 'start') log.push({ type: 'start', messageId });
    begun = true;
    log.push(value.type === 'start' ? { ...value, messageId } : value);
    if (value.type === 'abort') end = 'stopped';
    if (value.type === 'error') end = 'failed';
    await log.room();
  }
  signal.removeEventListener('abort', stop);
  if (!signal.aborted) return end;
  if (end !== 'stopped') log.push({ type: 'abort' });
  return 'stopped';
}

/** So many parts may wait for the store before the model's stream is held back. */
const MOST_WAITING = 1_000;

/** Stores parts in their order. Parts that arrive during a write are stored together by the next one. */
class PartLog {
  readonly #reply: Reply;
  readonly #all: UIMessageChunk[] = [];
  #waiting: UIMessageChunk[] = [];
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  push(part: UIMessageChunk): void {
    this.#waiting.push(part);
    this.#writing ??= this.#write();
  }

  /** Resolves when there is room for more, and rejects if the store has failed. */
  async room(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#waiting.length >= MOST_WAITING) await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      // Everything that arrives in this turn of the event loop is stored together.
      await new Promise((resolve) => void setImmediate(resolve));
      while (this.#waiting.length > 0) {
        const parts = merge(this.#waiting);
        this.#waiting = [];
        this.#all.push(...parts);
        await this.#reply.session.append(streamNote({ stream: this.#reply.id, parts }));
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#writing = undefined;
    }
  }

  /** Stores the finished message and the end of the stream together. */
  async end(end: StreamEnd): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
    const { session, id, before } = this.#reply;
    const message = await rebuild(this.#all, before);
    const records = message === undefined ? [] : toRecords(message, messagesIn(await session.load()));
    await session.append([...records, streamNote({ stream: id, end })]);
  }
}
