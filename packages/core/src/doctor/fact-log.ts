import { toFactRecord, type Fact, type FactRecord } from '../model/fact.ts';

const NOTHING: Partial<FactRecord> = {};

/** Where a walk stands, and the facts it has worked out so far. */
export class FactLog {
  message = -1;
  /** -1 before the first part of a message. */
  part = -1;
  readonly records: FactRecord[] = [];
  /** Facts that some rule listens to; the others are not recorded. */
  readonly wanted: ReadonlySet<Fact>;

  constructor(wanted: ReadonlySet<Fact>) {
    this.wanted = wanted;
  }

  /** A fact about the part the walk stands at, or about the place given; part -1 means the message as a whole. */
  add(fact: Fact, known: Partial<FactRecord> = NOTHING): void {
    if (!this.wanted.has(fact)) return;
    const { message = this.message, part = this.part } = known;
    this.records.push(toFactRecord(fact, { message, part }, known));
  }
}
