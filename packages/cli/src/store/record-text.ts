import { type Message, type Part, projectAsRecorded, type SessionRecord } from '@rethread/core';
import type { StoredRecord } from '@rethread/store';

import { excerpt } from '../terminal/visible.ts';

const longestPart = 160;

/** A field of a record that may hold anything. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '?'));

const words: Readonly<Record<string, (data: Fields) => string>> = {
  'call.started': ({ callId }) => `${shown(callId)} starts`,
  'call.settled': ({ callId, text, error }) => `${shown(callId)}${error === true ? ' failed' : ''}: ${shown(text)}`,
  checkpoint: ({ from, to, undo }) =>
    undo === undefined ? `stands for ${shown(from)} to ${shown(to)}` : `takes ${shown(undo)} back`,
  revert: ({ to, undo }) => `back to ${shown(to)}${undo === undefined ? '' : ', as before the revert'}`,
  pin: ({ seq, pinned }) => `${shown(seq)} ${pinned === false ? 'no longer kept' : 'kept'}`,
  fork: ({ from, at }) => `of ${shown(from)} at ${shown(at)}`,
  link: ({ parent, child }) =>
    parent === undefined ? `to its child ${shown(child)}` : `to its parent ${shown(parent)}`,
  repair: ({ rule, note }) => `${shown(rule)}: ${shown(note)}`,
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const partText = (part: Part): string => {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'reasoning') return `(thinks) ${part.text}`;
  if (part.kind === 'call') return `calls ${part.tool} ${JSON.stringify(part.input)}`;
  return part.kind === 'result' ? `${part.callId}: ${part.text}` : `(${part.kind})`;
};

/** The message that a record holds; undefined where it is in a dialect that is not known here. */
export function messageIn(record: StoredRecord): Message | undefined {
  return projectAsRecorded([record as SessionRecord])?.messages[0];
}

function messageText(record: StoredRecord, { wire }: Fields): string {
  const known = messageIn(record);
  if (known === undefined) return JSON.stringify(wire) ?? '';
  return `${known.role}  ${known.parts.map(partText).join(' | ')}`;
}

/** One line about a record, safe to print. */
export function recordLine(record: StoredRecord): string {
  const { seq, at, kind, data } = record;
  const tell = Object.hasOwn(words, kind) ? words[kind] : undefined;
  let text = JSON.stringify(data) ?? '';
  if (isFields(data)) text = kind === 'message' ? messageText(record, data) : (tell?.(data) ?? text);
  return `${String(seq).padStart(5)}  ${excerpt(at, 30)}  ${excerpt(kind, 20)}  ${excerpt(text, longestPart)}`;
}
