import { type CallPart, decode, type Dialect, type Part, projectAsRecorded, type SessionRecord } from '@rethread/core';

import type { Ask, Piece } from './events.ts';
import type { MessageData, NoteData, Place, SettledData, StartedData, StateData } from './log-records.ts';
import { asksIn, isFields, piecesIn, textsIn } from './record-forms.ts';
import type { Refused } from './learned-refusals.ts';
import { isState, type State } from './states.ts';

export type Call = {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** How many earlier calls of the same answer have this id: some models give all of them one id. */
  readonly copy?: number;
  /** The answer was cut off in this call, so its input may be incomplete even if it looks complete. */
  readonly cut?: true;
};

/** A call that may have started before. */
export type StartedCall = Call & {
  /** The record of its start. */
  readonly started?: StartedData;
};

export type OpenCall = StartedCall & {
  /** Whether a start would be on record here: the loop made the call, and it was neither shared nor reverted. */
  readonly ours: boolean;
};

/** The state of a session, derived from its records. */
export type Standing = Place & {
  readonly state: State;
  readonly asks: readonly Ask[];
  readonly open: readonly OpenCall[];
  readonly decisions: ReadonlyMap<string, 'allow' | 'deny'>;
  readonly removed: ReadonlySet<string>;
  /** Whether calls were ever left out of the history. */
  readonly leavesOut: boolean;
  /** The shown part of an answer that was never recorded as a message. */
  readonly shown: readonly Piece[];
  /** Resumes since the last progress. */
  readonly resumes: number;
  /** The refusals of this history, and their dialect if noted. */
  readonly refusals: readonly (Refused & { readonly dialect?: string })[];
  /** The author of the last message. */
  readonly last: 'nobody' | 'user' | 'assistant' | 'tool';
};

type Reading = { -readonly [K in keyof Standing]: Standing[K] } & {
  shown: Piece[];
  refusals: Standing['refusals'][number][];
  /** True if the next shown piece belongs to another attempt. */
  attempted: boolean;
  decisions: Map<string, 'allow' | 'deny'>;
  removed: Set<string>;
  started: Map<string, StartedData>;
  /** True if a revert follows the newest state. */
  reverted: boolean;
};

/** The calls that we must answer, from messages of one dialect; `cut` if the last message is incomplete. */
export function callsIn(messages: readonly unknown[], dialect: Dialect, cut: boolean = false): readonly Call[] {
  const parts = decode(messages, dialect)?.messages.flatMap((message) => message.parts) ?? [];
  const copies = new Copies();
  return parts.flatMap((part, index) =>
    isOurs(part) ? [{ ...copies.add(part), ...cutAt(cut && index === parts.length - 1) }] : [],
  );
}

const isOurs = (part: Part): part is CallPart => part.kind === 'call' && !part.server;

const cutAt = (cut: boolean): Pick<Call, 'cut'> => (cut ? { cut } : {});

/** Numbers the calls of one answer with the same id. */
class Copies {
  readonly #seen = new Map<string, number>();

  add({ callId, tool, input }: CallPart, answer: string = ''): Call {
    const name = `${answer} ${callId}`;
    const copy = this.#seen.get(name) ?? 0;
    this.#seen.set(name, copy + 1);
    return { callId, tool, input, ...(copy === 0 ? {} : { copy }) };
  }
}

/** The plain text of messages in one dialect. */
export function textIn(messages: readonly unknown[], dialect: Dialect): string {
  const parts = decode(messages, dialect)?.messages.flatMap((message) => message.parts) ?? [];
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
}

/** Reads a log from the beginning. Unknown records change nothing. */
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
    refusals: [],
    last: 'nobody',
  };
  for (const record of records) if (isFields(record.data)) readRecord(reading, record, record.data);
  const { started, attempted: _, reverted, ...standing } = reading;
  const { open: unanswered, last } = historyOf(records);
  const open = unanswered.filter(({ callId }) => !standing.removed.has(callId));
  // A closed call waits for nobody, whatever the newest state says.
  const asks = standing.asks.filter(({ callId }) => open.some((call) => call.callId === callId));
  const found = { ...standing, last, asks, open: knownOf(open, started, asks) };
  return reverted ? { ...found, ...afterRevert(found) } : found;
}

/** The state of a session whose newest state belongs to another history; the present history decides. */
function afterRevert({ asks, open, last }: Standing): Pick<Standing, 'state' | 'shown'> {
  const over = last === 'assistant' && open.length === 0;
  const state = asks.length > 0 ? 'waiting-for-tools' : last === 'nobody' ? 'idle' : over ? 'complete' : 'aborted';
  return { state, shown: [] };
}

/** The text of the last answer; none after a question, or if everything was reverted. */
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

/** Only a person, a model or a tool makes progress; crash leftovers and loop notes do not. */
const isProgress = (data: object): boolean => !('placeholder' in data || 'completeness' in data || 'synthetic' in data);

/** What was known about a finished call says nothing about another call with its id. */
function forget({ started, decisions }: Reading, callId: string): void {
  started.delete(callId);
  decisions.delete(callId);
}

/** Some models reuse ids: a call after a removed or reverted one is a different call. */
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
  if (note.about === 'refusal' && typeof note.text === 'string') reading.refusals.push(note);
}

/**
 * Calls with the same id run in order, so knowledge about an id concerns the first open call. A later one certainly did
 * not run while the first has not, or while it is the waiting one. Otherwise its outcome is unknown.
 */
function knownOf(
  open: readonly OpenCall[],
  started: ReadonlyMap<string, StartedData>,
  asks: readonly Ask[],
): readonly OpenCall[] {
  const seen = new Set<string>();
  return open.map((call) => {
    const { callId, copy = 0, ours } = call;
    const isFirst = !seen.has(callId);
    seen.add(callId);
    const before = isFirst ? started.get(callId) : undefined;
    const sure = copy === 0 || asks.some((ask) => ask.callId === callId) || (!isFirst && !started.has(callId));
    return { ...call, ours: ours && sure, ...(before === undefined ? {} : { started: before }) };
  });
}

/** The open calls of one id, and the answer that contains them. */
type Unanswered = { readonly answer: string; readonly calls: OpenCall[] };

/**
 * The history excludes what a revert or compaction removed, so open calls come from it. They are read as recorded,
 * because ids may differ in another dialect.
 */
function historyOf(records: readonly SessionRecord[]): Pick<Standing, 'open' | 'last'> {
  const { messages, sources } = projectAsRecorded(records) ?? { messages: [], sources: [] };
  const answers = writtenHere(records);
  const cut = cutOff(records);
  const copies = new Copies();
  const open = new Map<string, Unanswered>();
  for (const [index, { parts }] of messages.entries()) {
    const written = answers.get(sources[index] ?? -1);
    const answer = written ?? `message ${index}`;
    const last = cut.has(sources[index] ?? -1) ? parts.at(-1) : undefined;
    for (const part of parts) {
      if (part.kind === 'result') open.get(part.callId)?.calls.shift();
      if (!isOurs(part)) continue;
      const call = { ...copies.add(part, answer), ...cutAt(part === last), ours: written !== undefined };
      const same = open.get(part.callId);
      // An earlier call with this id was never answered, and this result does not answer it.
      if (same?.answer === answer) same.calls.push(call);
      else open.set(part.callId, { answer, calls: [call] });
    }
  }
  const role = messages.at(-1)?.role;
  const results = messages.at(-1)?.parts.some(({ kind }) => kind === 'result') === true;
  const last = role === undefined ? 'nobody' : results ? 'tool' : role === 'assistant' ? 'assistant' : 'user';
  return { open: [...open.values()].flatMap(({ calls }) => calls), last };
}

/** The messages that were cut off. */
function cutOff(records: readonly SessionRecord[]): ReadonlySet<number> {
  const cut = records.filter(({ kind, data }) => kind === 'message' && (data as MessageData | null)?.cut === true);
  return new Set(cut.map(({ seq }) => seq));
}

/**
 * The messages whose calls cannot have run without a record here, each with its answer. It excludes imported messages,
 * the shared part of a fork, and reverted records, whose calls may have run unrecorded.
 */
function writtenHere(records: readonly SessionRecord[]): ReadonlyMap<number, string> {
  const written = new Map<number, string>();
  for (const { kind, seq, data } of records) {
    if (kind === 'fork' || kind === 'revert') written.clear();
    if (kind !== 'message') continue;
    const { turn, step, given } = (data ?? {}) as Partial<MessageData>;
    if (typeof step === 'number' && given !== true) written.set(seq, `step ${turn} ${step}`);
  }
  return written;
}
