import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import type { Message, ResultPart } from './model/part.ts';
import type { SessionRecord } from './model/record.ts';

/** The history that a log stands for, in the dialect of its first message; undefined while it holds no message. */
export function projectRecords(
  records: readonly SessionRecord[],
  codecs: Readonly<Record<string, Codec>>,
): History | undefined {
  const first = records.find((record) => record.kind === 'message');
  const codec = first?.kind === 'message' ? codecs[first.data.dialect] : undefined;
  if (codec === undefined) return undefined;
  const messages: Message[] = [];
  for (const record of records) {
    const message = toMessage(record, codec, messages.length);
    if (message !== undefined) messages.push(message);
  }
  return { dialect: codec.dialect, messages };
}

function toMessage(record: SessionRecord, codec: Codec, index: number): Message | undefined {
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
