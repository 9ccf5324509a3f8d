import { isDeepStrictEqual } from 'node:util';

import type { Checkpoint } from '@langchain/langgraph-checkpoint';

import { grow, sharedPrefix, shrink, StoredList, type StoredValue } from './json-deltas.ts';

/**
 * A value of a record: a list as what it adds to the first `keep` elements of its base (default: all), any other value
 * as it is, or bytes of a serializer of the user's own.
 */
type ValueRecord =
  | { readonly add: readonly unknown[]; readonly keep?: number }
  | { readonly v: unknown }
  | { readonly type: string; readonly b: string };

/** A pending write of a task: channel, index and value. */
type WriteRecord = readonly [channel: string, index: number, value: ValueRecord | SharedRecord];

/** The value is a list of elements that the checkpoint of the same record adds; `bare` ones without their ids. */
type SharedRecord = { readonly s: readonly (number | { readonly bare: number })[] };

/** One record: the writes of tasks and the checkpoint that they lead to. What is left out is as in the parent. */
export type CheckpointRecord = {
  readonly ns?: string;
  /** The checkpoint that the writes belong to (default: the newest of the namespace). */
  readonly of?: string;
  readonly writes?: readonly { readonly task: string; readonly w: readonly WriteRecord[] }[];
  readonly put?: PutRecord;
};

type PutRecord = {
  readonly id: string;
  /** Default: the newest checkpoint of the namespace; null for none. */
  readonly parent?: string | null;
  /** The milliseconds since the parent, or a time. */
  readonly ts: number | string;
  /** Default: 4. */
  readonly v?: number;
  /** One version for all channels in `values`, or the versions that changed. */
  readonly versions: number | Versions;
  readonly seen: Readonly<Record<string, Versions>>;
  /** Channels and nodes of the parent that are gone. */
  readonly gone?: readonly string[];
  readonly forgot?: readonly string[];
  /** Default: that of the next step of a loop. */
  readonly meta?: unknown;
  readonly values: Readonly<Record<string, ValueRecord | null>>;
};

type Versions = Readonly<Record<string, number | string>>;

/** A pending write in memory. */
export type LoggedWrite = { readonly task: string; readonly channel: string; readonly value: EncodedValue };

/** A value as a serializer made it: JSON texts, or bytes in base64. */
export type EncodedValue = StoredValue | { readonly kind: 'bytes'; readonly type: string; readonly base64: string };

export type LoggedCheckpoint = {
  readonly id: string;
  readonly parent: string | undefined;
  readonly ts: string;
  readonly v: number;
  readonly versions: Versions;
  readonly seen: Readonly<Record<string, Versions>>;
  /** Encoded. */
  readonly meta: unknown;
  readonly values: ReadonlyMap<string, EncodedValue>;
};

type Namespace = {
  readonly checkpoints: Map<string, LoggedCheckpoint>;
  /** The pending writes of each checkpoint, by task and index. */
  readonly writes: Map<string, Map<string, LoggedWrite>>;
  newest: string | undefined;
};

/** The channel values of a new checkpoint, encoded. */
export type NewCheckpoint = {
  readonly checkpoint: Checkpoint;
  readonly parent: string | undefined;
  readonly meta: unknown;
  /** The channels that changed; undefined for one that has no value now. */
  readonly changed: ReadonlyMap<string, EncodedList | undefined>;
};

export type EncodedList = EncodedValue | { readonly kind: 'texts'; readonly texts: readonly string[] };

export type NewWrites = {
  readonly of: string;
  readonly task: string;
  readonly writes: readonly { readonly channel: string; readonly index: number; readonly value: EncodedList }[];
};

/** All checkpoints of a thread, as its log tells them. */
export class CheckpointLog {
  readonly #namespaces = new Map<string, Namespace>();

  namespaces(): readonly string[] {
    return [...this.#namespaces.keys()];
  }

  find(ns: string, id: string): LoggedCheckpoint | undefined {
    return this.#namespaces.get(ns)?.checkpoints.get(id);
  }

  /** The checkpoints of a namespace, newest first: their ids grow with time. */
  checkpoints(ns: string): readonly LoggedCheckpoint[] {
    const all = [...(this.#namespaces.get(ns)?.checkpoints.values() ?? [])];
    return all.sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  writes(ns: string, id: string): readonly LoggedWrite[] {
    return [...(this.#namespaces.get(ns)?.writes.get(id)?.values() ?? [])];
  }

  /** The record that stores these writes and this checkpoint. */
  toRecord(ns: string, writes: readonly NewWrites[], made?: NewCheckpoint): CheckpointRecord {
    const { newest } = this.#in(ns);
    const [first] = writes;
    const put = made === undefined ? undefined : this.#toPut(ns, made);
    const added = put === undefined ? [] : addedBy(put);
    const all = writes.map(({ task, writes: some }) => ({
      task,
      w: some.map(({ channel, index, value }) => [channel, index, share(toValueRecord(value), added)] as const),
    }));
    return {
      ...(ns === '' ? {} : { ns }),
      ...(first === undefined || first.of === newest ? {} : { of: first.of }),
      ...(all.length === 0 ? {} : { writes: all }),
      ...(put === undefined ? {} : { put }),
    };
  }

  #toPut(ns: string, { checkpoint, parent, meta, changed }: NewCheckpoint): PutRecord {
    const { newest } = this.#in(ns);
    const before = parent === undefined ? undefined : this.find(ns, parent);
    const { id, ts, v, channel_versions: versions, versions_seen: seen } = checkpoint;
    const gone = missing(before?.versions, versions);
    const forgot = missing(before?.seen, seen);
    const values = [...changed].map(([channel, value]) => [
      channel,
      value === undefined ? null : toValueRecord(value, before?.values.get(channel)),
    ]);
    return {
      id,
      ...(parent === newest ? {} : { parent: parent ?? null }),
      ts: sinceParent(ts, before),
      ...(v === 4 ? {} : { v }),
      versions: oneVersion(changes(before?.versions, versions), [...changed.keys()]),
      seen: changes(before?.seen, seen),
      ...(gone.length === 0 ? {} : { gone }),
      ...(forgot.length === 0 ? {} : { forgot }),
      ...(isSame(meta, nextMeta(before)) ? {} : { meta }),
      values: Object.fromEntries(values) as PutRecord['values'],
    };
  }

  /** Adds what a record says. Records are applied in the order of the log. */
  apply({ ns = '', of, writes = [], put }: CheckpointRecord): void {
    const space = this.#in(ns);
    const parent = put === undefined ? undefined : put.parent === undefined ? space.newest : (put.parent ?? undefined);
    const before = parent === undefined ? undefined : space.checkpoints.get(parent);
    const target = of ?? space.newest;
    const added = put === undefined ? [] : addedBy(put);
    if (target !== undefined) applyWrites(space, target, { writes, added });
    if (put === undefined) return;
    const { id, v = 4, gone = [], forgot = [], meta = nextMeta(before) } = put;
    const ts = typeof put.ts === 'string' ? put.ts : timeAfter(before, put.ts);
    const values = new Map(before?.values);
    for (const [channel, value] of Object.entries(put.values)) {
      if (value === null) values.delete(channel);
      else values.set(channel, fromValueRecord(value, values.get(channel)));
    }
    const versions = without({ ...before?.versions, ...allVersions(put) }, gone);
    for (const channel of values.keys()) if (!Object.hasOwn(versions, channel)) values.delete(channel);
    const seen = without({ ...before?.seen, ...put.seen }, forgot);
    space.checkpoints.set(id, { id, parent, ts, v, versions, seen, meta, values });
    space.newest = id;
  }

  #in(ns: string): Namespace {
    const known = this.#namespaces.get(ns);
    if (known !== undefined) return known;
    const made: Namespace = { checkpoints: new Map(), writes: new Map(), newest: undefined };
    this.#namespaces.set(ns, made);
    return made;
  }
}

type Writing = { readonly writes: NonNullable<CheckpointRecord['writes']>; readonly added: readonly unknown[] };

/** A write of a task that is stored already stays, except errors and interrupts, which have negative numbers. */
function applyWrites(space: Namespace, target: string, { writes, added }: Writing): void {
  const all = space.writes.get(target) ?? new Map<string, LoggedWrite>();
  space.writes.set(target, all);
  for (const { task, w } of writes) {
    for (const [channel, index, record] of w) {
      const key = `${task},${index}`;
      if (index >= 0 && all.has(key)) continue;
      all.set(key, { task, channel, value: fromValueRecord('s' in record ? unshare(record, added) : record) });
    }
  }
}

function toValueRecord(value: EncodedList, base?: EncodedValue): ValueRecord {
  if (value.kind === 'bytes') return { type: value.type, b: value.base64 };
  if (value.kind === 'whole') return { v: shrink(JSON.parse(value.json)) };
  const texts = value.kind === 'texts' ? value.texts : value.texts();
  const list = base?.kind === 'list' ? base : undefined;
  const keep = sharedPrefix(list, texts);
  const add = texts.slice(keep).map((text) => shrink(JSON.parse(text)));
  return keep === (list?.length ?? 0) ? { add } : { add, keep };
}

function fromValueRecord(record: ValueRecord, base?: EncodedValue): EncodedValue {
  if ('type' in record) return { kind: 'bytes', type: record.type, base64: record.b };
  if ('v' in record) return { kind: 'whole', json: JSON.stringify(grow(record.v)) };
  const list = base?.kind === 'list' ? base : undefined;
  const { add, keep = list?.length ?? 0 } = record;
  return StoredList.from(
    list,
    keep,
    add.map((each) => JSON.stringify(grow(each))),
  );
}

const addedBy = ({ values }: PutRecord): readonly unknown[] =>
  Object.values(values).flatMap((value) => (value !== null && 'add' in value ? value.add : []));

type Shrunk = { readonly lc: string; readonly kw: Readonly<Record<string, unknown>> };

const isMessage = (value: unknown): value is Shrunk =>
  typeof value === 'object' && value !== null && 'lc' in value && 'kw' in value && value.lc !== '';

function withoutId(value: unknown): unknown {
  if (!isMessage(value)) return value;
  const { id: _, ...kw } = value.kw;
  return { ...value, kw };
}

/** The elements of a list by reference, if the checkpoint adds all of them; messages may have got an id there. */
function share(value: ValueRecord, added: readonly unknown[]): ValueRecord | SharedRecord {
  if (!('add' in value) || value.add.length === 0 || added.length === 0) return value;
  const exact = placesOf(added.map((each) => JSON.stringify(each)));
  const bare = placesOf(added.map((each) => JSON.stringify(withoutId(each))));
  const found = value.add.flatMap((each) => {
    const text = JSON.stringify(each);
    const [at, without] = [exact.get(text), bare.get(text)];
    return at ?? (without === undefined ? [] : { bare: without });
  });
  return found.length === value.add.length ? { s: found } : value;
}

const placesOf = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map(texts.map((text, at) => [text, at]));

const unshare = ({ s }: SharedRecord, added: readonly unknown[]): ValueRecord => ({
  add: s.map((each) => (typeof each === 'number' ? added[each] : withoutId(added[each.bare]))),
});

const timeAfter = (before: LoggedCheckpoint | undefined, ms: number): string =>
  new Date(Date.parse(before?.ts ?? '') + ms).toISOString();

function sinceParent(ts: string, before: LoggedCheckpoint | undefined): number | string {
  const ms = Date.parse(ts) - Date.parse(before?.ts ?? '');
  return Number.isSafeInteger(ms) && timeAfter(before, ms) === ts ? ms : ts;
}

/** LangGraph gives all channels that a step changes the same version. */
function oneVersion(changed: Versions, channels: readonly string[]): number | Versions {
  const [version] = Object.values(changed);
  const isOne =
    typeof version === 'number' &&
    Object.values(changed).every((each) => each === version) &&
    isSame(Object.keys(changed).sort(), [...channels].sort());
  return isOne ? version : changed;
}

function allVersions({ versions, values }: PutRecord): Versions {
  if (typeof versions !== 'number') return versions;
  return Object.fromEntries(Object.keys(values).map((channel) => [channel, versions]));
}

/** What the metadata of the next step of a loop would be. */
function nextMeta(before: LoggedCheckpoint | undefined): unknown {
  const { v: meta } = (before?.meta ?? {}) as { readonly v?: { readonly step?: unknown } };
  return typeof meta?.step === 'number' ? { v: { ...meta, source: 'loop', step: meta.step + 1 } } : undefined;
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

type Table = Readonly<Record<string, unknown>>;

const missing = (before: Table | undefined, now: Table): readonly string[] =>
  Object.keys(before ?? {}).filter((key) => !Object.hasOwn(now, key));

function changes<T>(
  before: Readonly<Record<string, T>> | undefined,
  now: Readonly<Record<string, T>>,
): Record<string, T> {
  const isNew = ([key, value]: [string, T]): boolean => JSON.stringify(before?.[key]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(now).filter(isNew));
}

function without<T extends Table>(table: T, keys: readonly string[]): T {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.includes(key))) as T;
}
