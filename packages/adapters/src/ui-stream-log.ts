import { projectWithSources, RESULT_TEXTS, type SessionRecord, toWire } from '@rethread/core';
import type { NewRecord, StoredRecord } from '@rethread/store';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';

import type { LedgerCall } from './call-ledger.ts';

/** How a stream of parts ended. `interrupted`: its process died. `failed`: the model or the store failed. */
export type StreamEnd = 'finished' | 'stopped' | 'interrupted' | 'failed';

/** The data of a note about a stream. Notes are not part of the history; the finished message is. */
type StreamNote = {
  readonly stream: string;
  readonly begin?: { readonly messageId: string };
  readonly parts?: readonly UIMessageChunk[];
  readonly end?: StreamEnd;
};

/** A stream of parts as the log has it so far. */
export type LoggedStream = {
  readonly id: string;
  /** The record it begins with. */
  readonly seq: number;
  readonly messageId: string;
  readonly parts: readonly UIMessageChunk[];
  readonly end?: StreamEnd;
};

export const streamNote = (note: StreamNote): NewRecord => ({ kind: 'note', data: note });

export function noteIn({ kind, data }: StoredRecord): StreamNote | undefined {
  if (kind !== 'note' || typeof data !== 'object' || data === null) return undefined;
  return typeof (data as StreamNote).stream === 'string' ? (data as StreamNote) : undefined;
}

/** The newest stream of a log. */
export function newestStream(records: readonly StoredRecord[]): LoggedStream | undefined {
  const first = records.findLastIndex((record) => noteIn(record)?.begin !== undefined);
  const begin = records[first];
  const note = begin === undefined ? undefined : noteIn(begin);
  if (begin === undefined || note?.begin === undefined) return undefined;
  const notes = records.slice(first).flatMap((record) => noteIn(record) ?? []);
  const own = notes.filter(({ stream }) => stream === note.stream);
  const end = own.find((each) => each.end !== undefined)?.end;
  return {
    id: note.stream,
    seq: begin.seq,
    messageId: note.begin.messageId,
    parts: own.flatMap(({ parts = [] }) => parts),
    ...(end === undefined ? {} : { end }),
  };
}

/** A message of the history with the record that holds it. */
export type LoggedMessage<M extends UIMessage> = { readonly message: M; readonly seq: number };

/** The messages of the history as they are stored. */
export function messagesIn<M extends UIMessage>(records: readonly StoredRecord[]): readonly LoggedMessage<M>[] {
  const projection = projectWithSources(records as readonly SessionRecord[], 'ai-sdk-ui');
  if (projection === undefined) return [];
  return (toWire(projection) as M[]).map((message, index) => ({ message, seq: projection.sources[index] ?? 0 }));
}

/** The records that store a message. A stored message with its id is replaced, with everything after it. */
export function toRecords<M extends UIMessage>(message: M, stored: readonly LoggedMessage<M>[]): readonly NewRecord[] {
  const record = { kind: 'message', data: { dialect: 'ai-sdk-ui', wire: message } };
  const same = stored.find((each) => each.message.id === message.id);
  return same === undefined ? [record] : [{ kind: 'revert', data: { to: same.seq - 1 } }, record];
}

type Deltas = Extract<UIMessageChunk, { readonly delta: string }>;

/** Joins neighbouring deltas of one part, so that a fast stream is stored in few records. */
export function merge(parts: readonly UIMessageChunk[]): readonly UIMessageChunk[] {
  const merged: UIMessageChunk[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last !== undefined && isText(part) && isText(last) && last.type === part.type && last.id === part.id) {
      merged[merged.length - 1] = { ...last, ...part, delta: last.delta + part.delta };
    } else if (last?.type === 'tool-input-delta' && part.type === last.type && part.toolCallId === last.toolCallId) {
      merged[merged.length - 1] = { ...last, inputTextDelta: last.inputTextDelta + part.inputTextDelta };
    } else merged.push(part);
  }
  return merged;
}

const isText = (part: UIMessageChunk): part is Deltas => part.type === 'text-delta' || part.type === 'reasoning-delta';

/** The message that the parts of a stream make, as a client shows it. */
export async function rebuild<M extends UIMessage>(
  parts: readonly UIMessageChunk[],
  before?: M,
): Promise<M | undefined> {
  let message: M | undefined;
  const stream: ReadableStream<UIMessageChunk> = ReadableStream.from(merge(parts));
  const base = before === undefined ? {} : { message: before };
  for await (const state of readUIMessageStream<M>({ ...base, stream, onError: () => undefined })) message = state;
  return message;
}

type Part = UIMessage['parts'][number];
type ToolPart = Extract<Part, { readonly toolCallId: string }>;

const isTool = (part: Part): part is ToolPart => 'toolCallId' in part;

/** What is known about the calls of an interrupted message is written into it, and no part is left streaming. */
export function settleParts<M extends UIMessage>(message: M, calls: readonly LedgerCall[]): M {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const known = new Set(message.parts.filter(isTool).map(({ toolCallId }) => toolCallId));
  const parts = message.parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return { ...part, state: 'done' };
    const call = isTool(part) ? byId.get(part.toolCallId) : undefined;
    return call === undefined || !isOpen(part) ? part : { ...part, ...outcomeOf(call) };
  });
  // The record of a call can be older than its part.
  const unshown = calls.filter(({ callId }) => !known.has(callId));
  const added = unshown.map((call) => ({ type: `tool-${call.tool}`, toolCallId: call.callId, ...outcomeOf(call) }));
  return { ...message, parts: [...parts, ...added] };
}

const isOpen = (part: Part): boolean =>
  isTool(part) && (part.state === 'input-streaming' || part.state === 'input-available');

function outcomeOf({ input, settled }: LedgerCall): object {
  if (settled === undefined) return { state: 'output-error', input, errorText: RESULT_TEXTS.started };
  if ('error' in settled) return { state: 'output-error', input, errorText: settled.error };
  return { state: 'output-available', input, output: settled.output };
}
