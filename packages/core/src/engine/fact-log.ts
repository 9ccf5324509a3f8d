import { newFact, type Fact, type FactRecord, type NewFact } from '../model/fact.ts';
import type { PairLog } from '../pairs/pair-log.ts';
import type { RulesOf } from './target.ts';

/** Where a walk stands, and the facts it has worked out so far. */
export class FactLog implements PairLog {
  message = -1;
  /** -1 before the first part of a message. */
  part = -1;
  readonly records: FactRecord[] = [];
  private readonly rules: RulesOf;
  /** Stands for all facts that no rule listens to, so that they cost nothing. */
  private readonly unheard = newFact('no-messages', -1, -1);

  constructor(rules: RulesOf) {
    this.rules = rules;
  }

  /** True for a fact that some rule listens to; the others are not recorded. */
  wants(fact: Fact): boolean {
    return this.rules(fact).length > 0;
  }

  /** A fact about the part the walk stands at, or about the place given; part -1 means the message as a whole. */
  add(fact: Fact, message: number = this.message, part: number = this.part): NewFact {
    if (!this.wants(fact)) return this.unheard;
    const noted = newFact(fact, message, part);
    this.records.push(noted);
    return noted;
  }

  /** True where the fact was added for the part that the walk stands at. */
  tellsHere(fact: Fact): boolean {
    const here = this.records.findLast((record) => record.fact === fact);
    return here?.message === this.message && here.part === this.part;
  }
}
