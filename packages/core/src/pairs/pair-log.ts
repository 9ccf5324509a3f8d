import { newFact, type Fact, type NewFact } from '../model/fact.ts';
import type { At } from './step.ts';

/** Where a walk stands, and who is told what is found out about pairs. */
export type PairLog = At & {
  wants(fact: Fact): boolean;
  /** A fact about the part the walk stands at, or about the place given. */
  add(fact: Fact, message?: number, part?: number): NewFact;
};

/** Notes only whether there is anything to tell. */
export class Doubt implements PairLog {
  raised = false;
  private readonly log: PairLog;
  private readonly unheard: NewFact = newFact('no-messages', -1, -1);

  constructor(log: PairLog) {
    this.log = log;
  }

  get message(): number {
    return this.log.message;
  }

  get part(): number {
    return this.log.part;
  }

  wants(): boolean {
    return false;
  }

  /** That a call is renamed, and so its result is, is true in any order. */
  add(fact: Fact): NewFact {
    if (fact === 'call-id-malformed') return this.log.add(fact);
    this.raised = true;
    return this.unheard;
  }
}
