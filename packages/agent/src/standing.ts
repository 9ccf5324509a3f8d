import { type CallPart, decode, type Dialect, projectAsRecorded, type SessionRecord } from '@rethread/core';

import type { Ask, Piece } from './events.ts';
import type { MessageData, NoteData, Place, SettledData, StartedData, StateData } from './log-records.ts';
import { asksIn, isFields, piecesIn, textsIn } from './record-forms.ts';
import { isState, type State } from './states.ts';

/** A call that the model made. */
export type Call = { readonly callId: string; readonly tool: string; readonly input: unknown };

/** A call that may have been started before. */
export type StartedCall = Call & {
  /** What was recorded when it started. */
  readonly started?: StartedData;
};

/** A call without a result. */
export type OpenCall = StartedCall & {
  /** Whether a start would be on record here: the loop made the call, and nothing was shared or taken back since. */
  readonly ours: boolean;
};

/** Where a session stands, as its records tell. */
export type Standing = Place & {
  readonly state: State;
  readonly asks: readonly Ask[];
  readonly open: readonly OpenCall[];
  readonly decisions: ReadonlyMap<string, 'allow' | 'deny'>;
  readonly removed: ReadonlySet<string>;
  /** Whether calls were ever left out of the history. */
  readonly leavesOut: boolean;
  /** What was shown of an answer that was never recorded as a message. */
  readonly shown: readonly Piece[];
  /** How often the session was taken up since it last got on. */
  readonly resumes: number;
  /** The newest refusal of this history, and the dialect in which it was refused, where that was noted. */
  readonly refusal?: { readonly text: string; readonly dialect?: string };
  /** Who spoke last. */
  readonly last: 'nobody' | 'user' | 'assistant' | 'tool';
};

type Reading = { -readonly [K in keyof Standing]: Standing[K] } & {
  shown: Piece[];
  /** True when the next thing shown belongs to another attempt. */
  attempted: boolean;
  decisions: Map<string, 'allow' | 'deny'>;
  removed: Set<string>;
  started: Map<string, StartedData>;
  /** True when a revert came after the newest state. */
  reverted: boolean;
};

/** The calls in messages of one dialect that are ours to answer. */
export function callsIn(messages: readonly unknown[], dialect: Dialect): readonly Call[] {
  const parts = decode(messages, dialect)?.messages.flatMap((message) => message.parts) ?? [];
  return parts
    .filter((part): part is CallPart => part.kind === 'call' && !part.server)
    .map(({ callId, tool, input }) => ({ callId, tool, input }));
}

/** The plain text of messages of one dialect. */
export function textIn(messages: readonly unknown[], dialect: Dialect): string {
  const parts = decode(messages, dialect)?.messages.flatMap((message) => message.parts) ?? [];
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
}

/** Reads a log from the beginning. Total: records in no known form change nothing. */
export function standingOf(records: readonly SessionRecord[]): Standing {
  const reading: Reading = {
    state: 'idle',
    turn: 0,
    step: 0,
    asks: [],
    open: [],
    decisions: new Map(),
    removed: new Set(),
    leavesOut: false,
    started: new Map(),
    shown: [],
    attempted: false,
    reverted: false,
    resumes: 0,
    last: 'nobody',
  };
  for (const record of records) if (isFields(record.data)) readRecord(reading, record, record.data);
  const { started, attempted: _, reverted, ...standing } = reading;
  const { open: unanswered, last } = historyOf(records, started);
  const open = unanswered.filter(({ callId }) => !standing.removed.has(callId));
  const found = { ...standing, last, open };
  return reverted ? { ...found, ...afterRevert(found) } : found;
}

/** What a session does whose newest state is from another history: only the one that it has now can tell. */
function afterRevert({ asks, open, last }: Standing): Pick<Standing, 'state' | 'asks' | 'shown'> {
  const left = asks.filter(({ callId }) => open.some((call) => call.callId === callId));
  const over = last === 'assistant' && open.length === 0;
  const state = left.length > 0 ? 'waiting-for-tools' : last === 'nobody' ? 'idle' : over ? 'complete' : 'aborted';
  return { state, asks: left, shown: [] };
}

/** The text of the answer that stands last; there is none behind a question, nor where all was taken back. */
export function lastAnswerIn(records: readonly SessionRecord[]): string {
  const last = projectAsRecorded(records)?.messages.at(-1);
  const parts = last?.role === 'assistant' ? last.parts : [];
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
}

function readRecord(reading: Reading, record: SessionRecord, data: object): void {
  const { kind } = record;
  if (kind === 'state') readState(reading, data);
  if (kind === 'note') readNote(reading, data as NoteData);
  if (kind === 'call.started') {
    const started = data as StartedData;
    if (typeof started.callId === 'string') reading.started.set(started.callId, started);
  }
  if (kind === 'revert') reading.reverted = true;
  if (kind === 'message') forgetReused(reading, record);
  if (kind === 'message' || kind === 'call.settled') {
    reading.shown = [];
    if (kind === 'call.settled') forget(reading, (data as SettledData).callId);
    if (isProgress(data)) reading.resumes = 0;
  }
}

/** Only what a person, a model or a tool said is: a crash leaves the rest behind, or the loop says it after one. */
const isProgress = (data: object): boolean => !('placeholder' in data || 'completeness' in data || 'synthetic' in data);

/** What was known of a call that is over says nothing about another one that has its id. */
function forget({ started, decisions }: Reading, callId: string): void {
  started.delete(callId);
  decisions.delete(callId);
}

/** Some models use their ids again: a call that comes after another one was removed or taken back is not that one. */
function forgetReused(reading: Reading, message: SessionRecord): void {
  const { removed, started, decisions } = reading;
  if (removed.size + started.size + decisions.size === 0) return;
  for (const part of projectAsRecorded([message])?.messages.flatMap(({ parts }) => parts) ?? []) {
    if (part.kind !== 'call') continue;
    removed.delete(part.callId);
    forget(reading, part.callId);
  }
}

function readState(reading: Reading, { state, turn, step, asks }: Partial<StateData>): void {
  if (!isState(state)) return;
  reading.state = state;
  reading.reverted = false;
  if (typeof turn === 'number') reading.turn = turn;
  if (typeof step === 'number') reading.step = step;
  reading.asks = asksIn(asks);
}

function readNote(reading: Reading, note: NoteData): void {
  if (note.about === 'shown') {
    if (reading.attempted) reading.shown = [];
    reading.attempted = false;
    reading.shown.push(...piecesIn(note.pieces));
  }
  if (note.about === 'resumed') reading.resumes += 1;
  if (note.about === 'fallback' || note.about === 'retry') reading.attempted = true;
  if (note.about === 'decision' && ['allow', 'deny'].includes(note.decision)) {
    reading.decisions.set(note.callId, note.decision);
  }
  if (note.about === 'removed') {
    reading.leavesOut = true;
    for (const callId of textsIn(note.callIds)) {
      reading.removed.add(callId);
      forget(reading, callId);
    }
  }
  if (note.about === 'refusal' && typeof note.text === 'string') reading.refusal = note;
}

/**
 * The history knows what a revert or a compaction took away, so open calls are read from it: as they were recorded, for
 * ids may be others in another dialect.
 */
function historyOf(
  records: readonly SessionRecord[],
  started: ReadonlyMap<string, StartedData>,
): Pick<Standing, 'open' | 'last'> {
  const { messages, sources } = projectAsRecorded(records) ?? { messages: [], sources: [] };
  const ours = writtenHere(records);
  const open = new Map<string, OpenCall>();
  for (const [index, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.kind === 'result') open.delete(part.callId);
      if (part.kind !== 'call' || part.server) continue;
      const { callId, tool, input } = part;
      const before = started.get(callId);
      const known = { callId, tool, input, ours: ours.has(sources[index] ?? -1) };
      open.set(callId, { ...known, ...(before === undefined ? {} : { started: before }) });
    }
  }
  const role = messages.at(-1)?.role;
  const results = messages.at(-1)?.parts.some(({ kind }) => kind === 'result') === true;
  const last = role === undefined ? 'nobody' : results ? 'tool' : role === 'assistant' ? 'assistant' : 'user';
  return { open: [...open.values()], last };
}

/**
 * The messages whose calls cannot have run without a record of it here. Others write sessions without such records, a
 * fork shares its beginning with a session that went on, and what was taken back has happened all the same.
 */
function writtenHere(records: readonly SessionRecord[]): ReadonlySet<number> {
  const written = new Set<number>();
  for (const { kind, seq, data } of records) {
    if (kind === 'fork' || kind === 'revert') written.clear();
    if (kind === 'message' && typeof (data as Partial<MessageData> | null)?.step === 'number') written.add(seq);
  }
  return written;
}
