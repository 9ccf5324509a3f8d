import { CODECS, type Dialect } from './codecs/dialects.ts';
import type { History } from './history.ts';
import type { Codec } from './model/codec.ts';
import type { Message, ResultPart } from './model/part.ts';

/** One immutable item of a session's log. Kinds not named here are carried and do not change the history. */
export type SessionRecord = {
  readonly v: 1;
  readonly seq: number;
  readonly id: string;
  readonly at: string;
} & (
  | { readonly kind: 'message'; readonly data: { readonly dialect: Dialect; readonly wire: unknown } }
  | { readonly kind: 'call.settled'; readonly data: { readonly callId: string; readonly text: string; readonly error?: boolean } }
  | { readonly kind: 'call.started' | 'state' | 'checkpoint' | 'repair' | 'revert' | 'pin' | 'fork' | 'note'; readonly data: unknown }
);

/** The history a log stands for, in the dialect of its first message. */
export function project(records: readonly SessionRecord[]): History | undefined {
  const first = records.find((record) => record.kind === 'message');
  if (first?.kind !== 'message') return undefined;
  const dialect = first.data.dialect;
  const codec: Codec = CODECS[dialect];
  const messages: Message[] = [];
  for (const record of records) {
    const message = toMessage(record, { codec, index: messages.length });
    if (message !== undefined) messages.push(message);
  }
  return { dialect, messages };
}

function toMessage(record: SessionRecord, { codec, index }: { codec: Codec; index: number }): Message | undefined {
  if (record.kind === 'message') {
    const { dialect, wire } = record.data;
    return dialect === codec.dialect ? codec.read(wire, index) : codec.salvage(wire, index);
  }
  if (record.kind !== 'call.settled') return undefined;
  const { callId, text, error } = record.data;
  const result: ResultPart = {
    kind: 'result',
    callId,
    outcome: error === true ? 'error' : 'ok',
    text,
    server: false,
    characters: text.length,
  };
  return { role: codec.results, parts: [result], at: index };
}
