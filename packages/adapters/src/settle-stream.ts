import { type Session, StoreError } from '@rethread/store';
import type { UIMessage } from 'ai';

import { ledgerOf } from './durable-tool.ts';
import { liveStream } from './live-stream.ts';
import {
  type LoggedStream,
  messagesIn,
  newestStream,
  rebuild,
  settleParts,
  streamNote,
  toRecords,
} from './ui-stream-log.ts';

/**
 * Stores the reply of a dead process as it was shown. `live` if the reply is still being written. Another process that
 * writes holds the lease, so it is not mistaken for a dead one.
 */
export async function settle(session: Session): Promise<'live' | 'settled'> {
  const records = await session.load();
  const stream = newestStream(records);
  if (stream === undefined || stream.end !== undefined) return 'settled';
  if (liveStream(stream.id) !== undefined) return 'live';
  const stored = messagesIn(records);
  const message = await interrupted(
    session,
    stream,
    stored.find((each) => each.message.id === stream.messageId)?.message,
  );
  const end = streamNote({ stream: stream.id, end: 'interrupted' });
  try {
    await session.append([...(message === undefined ? [] : toRecords(message, stored)), end], {
      expect: records.at(-1)?.seq ?? 0,
    });
    return 'settled';
  } catch (error) {
    if (!StoreError.is(error) || !['conflict', 'stale'].includes(error.code)) throw error;
    return 'live';
  }
}

/** What a client has seen of a reply, with what the ledger knows about its calls. */
async function interrupted(session: Session, stream: LoggedStream, before?: UIMessage): Promise<UIMessage | undefined> {
  const shown = await rebuild(stream.parts, before);
  const calls = (await ledgerOf(session).calls()).filter(({ seq }) => seq > stream.seq);
  if (shown === undefined && calls.length === 0) return undefined;
  return settleParts(shown ?? before ?? { id: stream.messageId, role: 'assistant', parts: [] }, calls);
}
