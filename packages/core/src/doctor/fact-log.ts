import { toFactRecord, type Fact, type FactRecord } from '../model/fact.ts';
import type { ActiveRules } from './target.ts';

const NOTHING: Partial<FactRecord> = {};

/** Where a walk stands, and the facts it has worked out so far. */
export class FactLog {
  message = -1;
  /** -1 before the first part of a message. */
  part = -1;
  readonly records: FactRecord[] = [];
  private readonly rules: ActiveRules;
  private wanted: ActiveRules['wanted'] | undefined = undefined;

  constructor(rules: ActiveRules) {
    this.rules = rules;
  }

  /** True for a fact that some rule listens to; the others are not recorded. */
  wants(fact: Fact): boolean {
    this.wanted ??= this.rules.wanted;
    return this.wanted.has(fact);
  }

  /** A fact about the part the walk stands at, or about the place given; part -1 means the message as a whole. */
  add(fact: Fact, known: Partial<FactRecord> = NOTHING): void {
    if (!this.wants(fact)) return;
    const { message = this.message, part = this.part } = known;
    this.records.push(toFactRecord(fact, { message, part }, known));
  }

  /** True where the fact was added for the part that the walk stands at. */
  tellsHere(fact: Fact): boolean {
    const here = this.records.findLast((record) => record.fact === fact);
    return here?.message === this.message && here.part === this.part;
  }
}
