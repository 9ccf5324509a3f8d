import { CONVERSIONS } from '../dialects/conversions.ts';
import { CODECS } from '../dialects/dialects.ts';
import { isDialect, type Dialect } from '../model/dialect.ts';
import { PROFILES } from '../dialects/profiles.ts';
import type { Packed, Packing } from '../model/conversion.ts';
import { keepLosses, type ConversionLoss } from '../model/loss.ts';
import type { Message, Origin, Part } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import type { Projection, Recorded } from '../project.ts';
import { readMessage } from './read-message.ts';
import { writeMessages } from './write-message.ts';
import { group, settleStanding } from './group.ts';
import { rewriteIds } from './ids.ts';
import { newNameBook, rename } from './names.ts';

/** A log in one dialect, whatever its messages were recorded in. */
export type United = Projection<Dialect> & {
  readonly made: readonly Made[];
  readonly losses: readonly ConversionLoss[];
  /** Ids of calls that are written otherwise now. */
  readonly ids: ReadonlyMap<string, string>;
};

/** A message of the new list, and the places of the recorded ones that are in it. */
export type Made = {
  readonly wire: unknown;
  readonly places: readonly number[];
  /** What was converted; absent for a message that stayed in its dialect. */
  readonly packed?: Packed;
  readonly origin?: Origin;
};

/** A recorded message with its place and its dialect. */
type Entry = { readonly message: Message; readonly place: number; readonly dialect: Dialect };

/** Messages one after the other in one dialect: those of the target as they are, others ready to be packed. */
type Stretch = { readonly entries: readonly Entry[]; readonly carried: readonly Message[] | undefined };

/**
 * Brings the messages of a log into one dialect. Those that are in it already stay as they are, so that nothing which
 * only their maker can read is lost on the way; only what stands between them is converted.
 */
export function unite(recorded: Recorded, to: Dialect, model?: string): United {
  const { losses, lose } = keepLosses();
  const how: Packing = { profile: PROFILES[to](model), model, request: false, lose };
  const stretches = divide(recorded, to).map((entries) => read(entries, to, how));
  // One book for all stretches: a call and its result may stand in different ones.
  const before = stretches.flatMap(({ carried = [] }) => carried);
  const after = rename(rewriteIds(before, how.profile, lose), newNameBook(CONVERSIONS[to].names, lose));
  const ids = changedIds(before, after);
  const made: Made[] = [];
  let next = 0;
  for (const { entries, carried } of stretches) {
    if (carried === undefined) {
      for (const entry of entries) made.push(stay(entry, ids));
      continue;
    }
    const written = after.slice(next, next + carried.length);
    next += written.length;
    for (const packed of writeMessages(written, to, how)) {
      made.push({ wire: packed.wire, places: placesOf(packed), packed });
    }
  }
  return { ...toProjection(made, recorded, to), made, losses, ids };
}

function divide({ messages, dialects }: Recorded, to: Dialect): readonly (readonly Entry[])[] {
  const stretches: Entry[][] = [];
  for (const [place, message] of messages.entries()) {
    const named = dialects[place];
    const dialect = isDialect(named) ? named : to;
    const last = stretches.at(-1);
    if (last?.[0]?.dialect === dialect) last.push({ message, place, dialect });
    else stretches.push([{ message, place, dialect }]);
  }
  return stretches;
}

function read(entries: readonly Entry[], to: Dialect, { profile, lose }: Packing): Stretch {
  if (entries[0]?.dialect === to) return { entries, carried: undefined };
  const carried = entries.flatMap(({ message, place, dialect }) => {
    const codec = CODECS[dialect];
    const placed = { wire: message.wire ?? codec.write(message), index: place, path: `/${String(place)}` };
    const some = readMessage(placed, dialect, lose);
    return message.wire === undefined ? withOutcomes(some, message) : some;
  });
  return { entries, carried: group(settleStanding(carried, lose), profile) };
}

/** What the log knows of how a call ended, also where the words of its dialect cannot tell it. */
function withOutcomes(carried: readonly Message[], { parts }: Message): readonly Message[] {
  const known = new Map(parts.flatMap((part) => (part.kind === 'result' ? [[part.callId, part.outcome]] : [])));
  return carried.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.kind === 'result' ? { ...part, outcome: known.get(part.callId) ?? part.outcome } : part,
    ),
  }));
}

/** What each id became, of those that could not stay. */
function changedIds(before: readonly Message[], after: readonly Message[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [index, { parts }] of before.entries()) {
    for (const [place, part] of parts.entries()) {
      const written = after[index]?.parts[place];
      if (part.kind !== 'call' || written?.kind !== 'call' || part.callId === '') continue;
      // Of several calls under one id the first has it still, or what it is written as.
      if (written.callId !== '' && !ids.has(part.callId)) ids.set(part.callId, written.callId);
    }
  }
  for (const [id, written] of ids) if (id === written) ids.delete(id);
  return ids;
}

/** A message that stays in its dialect; a result in it may belong to a call whose id could not stay. */
function stay({ message, place, dialect }: Entry, ids: ReadonlyMap<string, string>): Made {
  const codec = CODECS[dialect];
  const { wire, parts, origin } = message;
  const kept = { places: [place], ...(origin === undefined ? {} : { origin }) };
  const relinked = parts.map((part): Part => {
    const callId = part.kind === 'result' ? ids.get(part.callId) : undefined;
    return part.kind !== 'result' || callId === undefined ? part : { ...part, callId, edited: true };
  });
  const same = relinked.every((part, index) => part === parts[index]);
  return {
    ...kept,
    wire: same && wire !== undefined ? wire : codec.write(same ? message : { ...message, parts: relinked }),
  };
}

const placesOf = ({ from, parts }: Packed): readonly number[] =>
  [...new Set([from.at, ...parts.map(({ at }) => at?.message ?? -1)])]
    .filter((place) => place >= 0)
    .sort((a, b) => a - b);

function toProjection(made: readonly Made[], recorded: Recorded, dialect: Dialect): Projection<Dialect> {
  const pinned = new Set(recorded.pins);
  const numbers = (places: readonly number[], all: readonly number[]): readonly number[] =>
    places.flatMap((place) => all[place] ?? []);
  return {
    dialect,
    messages: made.map(({ wire, origin }, index) => ({
      ...readSafely(CODECS[dialect], wire, index),
      ...(origin === undefined ? {} : { origin }),
    })),
    sources: made.map(({ places }) => Math.min(...numbers(places, recorded.sources))),
    ends: made.map(({ places }) => Math.max(...numbers(places, recorded.ends))),
    records: made.map(({ places }) => recordsOf(places, recorded)),
    pins: made.flatMap(({ places }, index) => (places.some((place) => pinned.has(place)) ? [index] : [])),
  };
}

/** The records of several messages; none where one of them is of no record. */
function recordsOf(places: readonly number[], { records }: Recorded): readonly number[] {
  const all = places.map((place) => records[place] ?? []);
  return all.some((some) => some.length === 0) ? [] : [...new Set(all.flat())];
}
