import type { Codec } from './model/codec.ts';
import type { History } from './model/history.ts';
import type { Message, ResultPart } from './model/part.ts';
import { salvageEntries } from './model/read-safely.ts';
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
    messages.push(...toMessages(record, codec, messages.length));
  }
  return { dialect: codec.dialect, messages };
}

function toMessages(record: SessionRecord, codec: Codec, index: number): readonly Message[] {
  if (record.kind === 'message') {
    const { dialect, wire } = record.data;
    return dialect === codec.dialect ? [codec.read(wire, index)] : salvageEntries(codec, wire, index);
  }
  if (record.kind !== 'call.settled') return [];
  const { callId, text, error } = record.data;
  const result: ResultPart = {
    kind: 'result',
    callId,
    outcome: error === true ? 'error' : 'ok',
    text,
    server: false,
    characters: text.length,
  };
  return [{ role: codec.results, parts: [result], at: index }];
}
