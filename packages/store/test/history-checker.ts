/**
 * Judges the notes of many writers and readers of one log, without knowledge of the store. A record is a name, a log a
 * list of names, and time the order of the notes.
 */
export type Write = {
  readonly writer: string;
  readonly session: string;
  /** The record names in order. */
  readonly records: readonly string[];
  readonly began: number;
  readonly ended: number;
  /** `refused`: nothing was written. `unknown`: the store could not tell. */
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  /** The number of the last record, if acknowledged. */
  readonly seq?: number;
};

export type Read = {
  readonly reader: string;
  readonly session: string;
  readonly began: number;
  readonly ended: number;
  readonly records: readonly string[];
};

/** The log of each session at the end. */
export type Final = ReadonlyMap<string, readonly string[]>;

export type Notes = { readonly writes: readonly Write[]; readonly reads: readonly Read[]; readonly final: Final };

type Places = ReadonlyMap<string, number>;

const placesOf = (log: readonly string[]): Places => new Map(log.map((name, place) => [name, place]));

function* duplicates(session: string, log: readonly string[]): Generator<string> {
  const seen = new Set<string>();
  for (const name of log) {
    if (seen.has(name)) yield `${session}: ${name} is there twice`;
    seen.add(name);
  }
}

function* strangers(session: string, log: readonly string[], writes: readonly Write[]): Generator<string> {
  const given = new Set(writes.flatMap(({ records }) => records));
  for (const name of log) if (!given.has(name)) yield `${session}: nobody wrote ${name}`;
}

/** A batch must be there completely and contiguously, or not at all; its outcome says which is allowed. */
function* wholeness(places: Places, { session, records, outcome, seq }: Write): Generator<string> {
  const found = records.map((name) => places.get(name));
  const [first] = found;
  const there = found.filter((place) => place !== undefined).length;
  const name = `${session}: ${records[0]}`;
  if (there > 0 && there < records.length) yield `${name}: a part of its batch is missing`;
  if (first !== undefined && found.some((place, index) => place !== undefined && place !== first + index))
    yield `${name}: something stands between the records of its batch`;
  if (outcome === 'acknowledged' && there === 0) yield `${name} was acknowledged and is lost`;
  if (outcome === 'refused' && there > 0) yield `${name} was refused and is there`;
  const last = found.at(-1);
  if (outcome === 'acknowledged' && last !== undefined && seq !== last + 1)
    yield `${name} was acknowledged as ${seq} and stands at ${last + 1}`;
}

/** Of two consecutive writes of one writer, the later one comes later in the log. */
function* writerOrder(places: Places, writes: readonly Write[]): Generator<string> {
  const newest = new Map<string, { readonly place: number; readonly name: string }>();
  for (const { writer, records } of writes.toSorted((left, right) => left.began - right.began)) {
    const before = newest.get(writer);
    for (const name of records) {
      const place = places.get(name);
      if (place === undefined) continue;
      if (before !== undefined && place < before.place) yield `${writer} wrote ${before.name} before ${name}`;
      newest.set(writer, { place, name });
    }
  }
}

/** A write that ended before another began comes before it, whoever the writers are. */
function* realTime(places: Places, writes: readonly Write[]): Generator<string> {
  const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');
  const byEnd = acknowledged.toSorted((left, right) => left.ended - right.ended);
  let [next, highest, name] = [0, -1, ''];
  for (const write of acknowledged.toSorted((left, right) => left.began - right.began)) {
    for (let over = byEnd[next]; over !== undefined && over.ended < write.began; over = byEnd[(next += 1)]) {
      const place = places.get(over.records.at(-1) ?? '') ?? -1;
      if (place > highest) [highest, name] = [place, over.records.at(-1) ?? ''];
    }
    const place = places.get(write.records[0] ?? '');
    if (place !== undefined && place < highest)
      yield `${write.session}: ${name} was over before ${write.records[0]} began`;
  }
}

/** A read must be a prefix of the log with everything acknowledged before it began. */
function* prefixes(log: readonly string[], reads: readonly Read[], writes: readonly Write[]): Generator<string> {
  const places = placesOf(log);
  const byEnd = writes
    .filter(({ outcome }) => outcome === 'acknowledged')
    .toSorted((left, right) => left.ended - right.ended);
  let [next, least] = [0, 0];
  for (const { reader, session, records, began } of reads.toSorted((left, right) => left.began - right.began)) {
    for (let over = byEnd[next]; over !== undefined && over.ended < began; over = byEnd[(next += 1)])
      least = Math.max(least, (places.get(over.records.at(-1) ?? '') ?? -1) + 1);
    const wrong = records.findIndex((name, place) => log[place] !== name);
    if (wrong !== -1) yield `${session}: ${reader} read ${records[wrong]} where ${log[wrong]} stands`;
    if (records.length < least)
      yield `${session}: ${reader} read ${records.length} records, ${least} were acknowledged`;
  }
}

/** Every anomaly in the notes as a sentence; none if the store kept its promises. */
export function anomalies({ writes, reads, final }: Notes): string[] {
  const found: string[] = [];
  const sessions = new Set([...final.keys(), ...writes.map(({ session }) => session)]);
  for (const session of sessions) {
    const log = final.get(session) ?? [];
    const places = placesOf(log);
    const mine = writes.filter((write) => write.session === session);
    const read = reads.filter((one) => one.session === session);
    found.push(...duplicates(session, log), ...strangers(session, log, mine));
    for (const write of mine) found.push(...wholeness(places, write));
    found.push(...writerOrder(places, mine), ...realTime(places, mine), ...prefixes(log, read, mine));
  }
  return found;
}
