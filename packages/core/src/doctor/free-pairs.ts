import type { PartKind, Role } from '../model/part.ts';
import type { FactLog } from './fact-log.ts';
import { PairLedger } from './pair-ledger.ts';
import { Step } from './step.ts';

type Options = {
  /** More messages will come. */
  readonly endless: boolean;
  /** Calls may stand in a list that the provider has kept. */
  readonly chained: boolean;
  /** Keep what is needed to look for a result anywhere in the list. */
  readonly ledger: boolean;
};

/**
 * Matches calls with results where a provider looks for a result anywhere in the list. Nearly every history answers
 * its calls step by step, and then nothing has to be remembered; only where a step is not answered by itself, `unsure`
 * asks for another walk that keeps a ledger.
 */
export class FreePairs {
  /** Some step is not answered by itself. */
  unsure = false;
  /** Ids of calls that have to be renamed; their results have to be renamed too. */
  private renamed: Set<string> | undefined = undefined;
  private readonly log: FactLog;
  private readonly ledger: PairLedger | undefined;
  private readonly step = new Step();
  private familyName = '';
  private lastCall: string | undefined = undefined;
  private lastResult: string | undefined = undefined;
  private phase: 'calls' | 'results' | 'content' = 'content';

  constructor(log: FactLog, options: Options) {
    this.log = log;
    this.ledger = options.ledger || options.endless ? new PairLedger(log, options) : undefined;
  }

  /** A message begins; only messages of the assistant that stand side by side make one step. */
  message(role: Role): void {
    if (role === 'assistant') {
      if (this.phase !== 'calls') this.newStep();
      this.phase = 'calls';
      this.ledger?.anchorAt(this.log.message);
    } else if (role === 'tool') {
      if (this.phase === 'calls') this.phase = 'results';
    } else {
      this.phase = 'content';
      this.ledger?.runEnds();
    }
    this.familyName = '';
  }

  /** The next call or result belongs to tools whose ids are their own. */
  family(name: string): void {
    this.familyName = name;
  }

  call(id: string | undefined): void {
    const key = this.keyOf(id);
    this.lastCall = key;
    if (this.ledger !== undefined) return this.ledger.call(id, key);
    if (key === undefined || this.step.find(key) !== -1) this.unsure = true;
    this.step.add(key, this.log.message, this.log.part);
  }

  result(id: string | undefined): void {
    const key = this.keyOf(id);
    this.lastResult = key;
    if (key !== undefined && this.renamed?.has(key) === true) this.log.add('call-id-malformed');
    if (this.ledger !== undefined) return this.ledger.result(id, key, this.phase === 'results');
    const step = this.step;
    const entry = key === undefined ? -1 : step.find(key);
    if (entry === -1 || step.resultMessage[entry] !== -1) this.unsure = true;
    else step.answer(entry, this.log.message, this.log.part);
  }

  /** The result read last is one that we invented: the real one may come at any time. */
  placeholder(): void {
    if (this.phase !== 'results') this.unsure = true;
    if (this.lastResult !== undefined) this.ledger?.placeholder(this.lastResult);
  }

  /** The call read last has an id that cannot be sent. */
  renameLast(): void {
    if (this.lastCall !== undefined) (this.renamed ??= new Set()).add(this.lastCall);
  }

  /** Some call has an id that cannot be sent. */
  get renames(): boolean {
    return this.renamed !== undefined;
  }

  assistantContent(): void {
    // Whatever stands beside a call here may stand there.
  }

  userContent(_kind: PartKind): void {
    // The role of the message says enough.
  }

  judgeNow(): void {
    // Everything is judged as it comes, or at the end.
  }

  openCalls(): { message: number; part: number }[] {
    return this.ledger?.openCalls() ?? [];
  }

  get opensStep(): boolean {
    return false;
  }

  get continuing(): boolean {
    return false;
  }

  finish(): void {
    if (this.step.open > 0) this.unsure = true;
    this.ledger?.finish(this.phase !== 'content');
  }

  private newStep(): void {
    if (this.step.open > 0) this.unsure = true;
    if (this.step.count > 0) this.step.clear();
    this.ledger?.newStep();
  }

  /** An empty id names nothing. */
  private keyOf(id: string | undefined): string | undefined {
    if (id === undefined || id === '') return undefined;
    return this.familyName === '' ? id : `${this.familyName}\n${id}`;
  }
}
