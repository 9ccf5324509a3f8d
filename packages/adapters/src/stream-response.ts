import type { Session, StoredRecord } from '@rethread/store';
import { UI_MESSAGE_STREAM_HEADERS } from 'ai';

import { settle } from './settle-stream.ts';
import { noteIn } from './ui-stream-log.ts';

type Reading = {
  /** The stream to send. */
  readonly id: string;
  /** Only records after this one. */
  readonly after: number;
  /** The last part the client has. */
  readonly sent?: { readonly seq: number; readonly part: number };
};

/** While nothing comes, the connection is kept alive, and a writer that may have died is looked after. */
const IDLE_MS = 5_000;

/**
 * Sends the parts of a stream as the store has them, then those that are still written, by whichever process. A client
 * that closes the response stops the sending, not the reply.
 */
export function streamResponse(session: Session, reading: Reading): Response {
  const quit = new AbortController();
  const encoder = new TextEncoder();
  const send = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const say = (text: string): void => controller.enqueue(encoder.encode(text));
    let failure: { readonly error: unknown } | undefined;
    const fallen = (error: unknown): void => {
      failure = { error };
      quit.abort();
    };
    const idle = setInterval(() => {
      say(': waiting\n\n');
      settle(session).catch(fallen);
    }, IDLE_MS);
    try {
      for await (const record of session.follow({ after: reading.after, signal: quit.signal })) {
        idle.refresh();
        const events = eventsOf(record, reading);
        if (events.text !== '') say(events.text);
        if (events.ended) break;
      }
      if (failure !== undefined) throw failure.error;
      say('data: [DONE]\n\n');
      controller.close();
    } finally {
      clearInterval(idle);
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void send(controller).catch((error: unknown) => fail(controller, error)),
    cancel: () => quit.abort(),
  });
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS });
}

function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
  try {
    controller.error(error);
  } catch {
    // The client has closed the response.
  }
}

function eventsOf(record: StoredRecord, { id, sent }: Reading): { readonly text: string; readonly ended: boolean } {
  const note = noteIn(record);
  if (note?.stream !== id) return { text: '', ended: false };
  const { seq } = record;
  const events = (note.parts ?? []).map((part, index) =>
    sent !== undefined && (seq < sent.seq || (seq === sent.seq && index <= sent.part))
      ? ''
      : `id: ${seq}.${index}\ndata: ${JSON.stringify(part)}\n\n`,
  );
  return { text: events.join(''), ended: note.end !== undefined };
}
