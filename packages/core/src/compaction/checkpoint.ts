import { readableJson } from '../model/value.ts';
import type { SummaryMessage } from './summary-message.ts';

/** A step of a compaction, from what costs least to what costs most. */
export type Rung = 'clamp' | 'repeated-reads' | 'prune' | 'summary' | 'rule-summary';

/** Consecutive messages that were kept: where they stand now, where they stood, and how many they are. */
export type KeptRun = readonly [output: number, source: number, count: number];

/** Consecutive messages, and where the first of them stands. */
export type Stored = readonly [place: number, messages: readonly unknown[]];

/** The fields of a request that had to change with its list: their names in order, and what the changed ones held. */
export type Around = {
  readonly keys: readonly string[];
  readonly fields: readonly (readonly [key: string, value: unknown])[];
};

/** Everything about one compaction, as plain JSON: what was done, and what is needed to undo it. */
export type Checkpoint = {
  readonly v: 1;
  readonly kind: 'compaction';
  readonly dialect: string;
  /** When it was made, in the words of the caller. */
  readonly at?: string;
  readonly done: readonly Rung[];
  /** The summary that was written; absent where none was needed. */
  readonly summary?: SummaryMessage;
  /** How many messages there were before, and how many there are after. */
  readonly sourceLength: number;
  readonly outputLength: number;
  readonly kept: readonly KeptRun[];
  /** The messages that are gone or were changed, in runs, with the places where these began. */
  readonly originals: readonly Stored[];
  /** The messages that were made or changed, likewise, with their places after. */
  readonly made: readonly Stored[];
  /** Absent where nothing but the list has changed. */
  readonly around?: Around;
};

/** What two lists and the work between them add up to. */
export type CheckpointParts = Pick<Checkpoint, 'dialect' | 'done'> & {
  readonly at: string | undefined;
  readonly summary: SummaryMessage | undefined;
  readonly source: readonly unknown[];
  readonly output: readonly unknown[];
  readonly around: Around | undefined;
};

/** Notes what became of every message. A message is the same only while it is the same object in the same order. */
export function makeCheckpoint(parts: CheckpointParts): Checkpoint {
  const { source, output, dialect, at, done, summary, around } = parts;
  const kept = keptRuns(source, output);
  return {
    v: 1,
    kind: 'compaction',
    dialect,
    ...(at === undefined ? {} : { at }),
    done,
    ...(summary === undefined ? {} : { summary }),
    sourceLength: source.length,
    outputLength: output.length,
    kept,
    originals: gaps(
      source,
      kept.map(([, from, count]) => [from, from + count]),
    ),
    made: gaps(
      output,
      kept.map(([to, , count]) => [to, to + count]),
    ),
    ...(around === undefined ? {} : { around }),
  };
}

/** What of a list lies between some stretches of it. */
function gaps(list: readonly unknown[], stretches: readonly (readonly [from: number, to: number])[]): Stored[] {
  const stored: Stored[] = [];
  let at = 0;
  for (const [from, to] of [...stretches, [list.length, list.length] as const]) {
    if (at < from) stored.push([at, list.slice(at, from)]);
    at = to;
  }
  return stored;
}

/** The messages of one list that are in another, in the same order; of a message that is there twice, the last. */
function keptRuns(source: readonly unknown[], output: readonly unknown[]): KeptRun[] {
  const wanted = new Set(output);
  const places = new Map<unknown, number[]>();
  source.forEach((message, place) => {
    if (!wanted.has(message)) return;
    const found = places.get(message);
    if (found === undefined) places.set(message, [place]);
    else found.push(place);
  });
  const runs: [number, number, number][] = [];
  let before = source.length;
  for (let to = output.length - 1; to >= 0; to -= 1) {
    const from = lastBefore(places.get(output[to]) ?? [], before);
    if (from < 0) continue;
    before = from;
    const run = runs.at(-1);
    if (run !== undefined && run[0] === to + 1 && run[1] === from + 1) runs[runs.length - 1] = [to, from, run[2] + 1];
    else runs.push([to, from, 1]);
  }
  return runs.toReversed();
}

/** Takes the last place before a limit, and those behind it, out of some ascending places; -1 if there is none. */
function lastBefore(places: number[], limit: number): number {
  for (let place = places.pop(); place !== undefined; place = places.pop()) if (place < limit) return place;
  return -1;
}

/** The list as it was, with whatever has been added since; undefined where it is not the list that was made then. */
export function restoreList(checkpoint: Checkpoint, current: readonly unknown[]): unknown[] | undefined {
  const { sourceLength, outputLength, kept, originals, made } = checkpoint;
  if (current.length < outputLength) return undefined;
  // A checkpoint that was stored has lost the keys that hold nothing, and the list has not.
  const isOurs = ([place, messages]: Stored): boolean =>
    messages.every((message, index) => readableJson(current[place + index]) === readableJson(message));
  if (!made.every(isOurs)) return undefined;
  const list: unknown[] = Array.from({ length: sourceLength });
  for (const [place, messages] of originals) messages.forEach((message, index) => (list[place + index] = message));
  for (const [to, from, count] of kept) {
    for (let i = 0; i < count; i += 1) list[from + i] = current[to + i];
  }
  return [...list, ...current.slice(outputLength)];
}
