import { chance } from '../models/chance.ts';
import { parseFault, parseFaults, type Fault, type FaultRule, type When } from './fault.ts';

/** Decides which request meets which fault; the first rule that applies wins. */
export class FaultPlan {
  readonly #rules: FaultRule[];
  readonly #seed: number;

  constructor(faults: string | readonly FaultRule[], seed: number) {
    this.#rules = typeof faults === 'string' ? parseFaults(faults) : [...faults];
    this.#seed = seed;
  }

  add(faults: string | readonly FaultRule[]): void {
    this.#rules.push(...(typeof faults === 'string' ? parseFaults(faults) : faults));
  }

  /** A header chooses for its own request, `none` included; otherwise the rules do. */
  faultFor(n: number, header: string | undefined): Fault | undefined {
    if (header !== undefined) return header.trim() === 'none' ? undefined : parseFault(header);
    if (this.#rules.length === 0) return undefined;
    return this.#rules.find(({ when }, index) => this.#applies(when, n, index))?.fault;
  }

  #applies(when: When, n: number, index: number): boolean {
    if (when.kind === 'always') return true;
    if (when.kind === 'numbers') return n >= when.from && n <= when.to;
    return chance(this.#seed, index, n)() < when.rate;
  }
}
