import { isLegalId } from '../model/call-id.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
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
 * Matches calls with results where a provider looks for a result anywhere in the list. Nearly every step is answered by
 * itself, and then nothing else in the list can change that. Where one is not, the list is read again with a ledger:
 * to keep one for every list costs 0.08 × JSON.parse at 10,000 messages.
 */
export class FreePairs {
  /** Ids of calls that have to be renamed; their results have to be renamed too. */
  private renamed: Set<string> | undefined = undefined;
  private readonly log: FactLog;
  private readonly ledger: PairLedger | undefined;
  private readonly step = new Step();
  /** Some step is not answered by itself: only a ledger can tell what belongs together. */
  unsure = false;
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
    const key = this.familyName === '' && id !== '' ? id : this.keyOf(id);
    this.lastCall = key;
    if (this.ledger !== undefined) return this.ledger.call(id, key);
    if (key === undefined || this.step.find(key) !== -1) this.unsure = true;
    else this.step.add(key, this.log.message, this.log.part);
  }

  result(id: string | undefined): void {
    const key = this.familyName === '' && id !== '' ? id : this.keyOf(id);
    this.lastResult = key;
    if (key !== undefined && this.renamed?.has(key) === true) this.log.add('call-id-malformed');
    if (this.ledger !== undefined) return this.ledger.result(id, key, this.phase === 'results');
    const entry = key === undefined ? -1 : this.step.find(key);
    if (entry === -1 || this.step.resultMessage[entry] !== -1) this.unsure = true;
    else this.step.answer(entry, this.log.message, this.log.part);
  }

  /** The result read last is one that we invented: the real one may come at any time. */
  placeholder(): void {
    if (this.ledger === undefined) this.unsure ||= this.phase !== 'results';
    else if (this.lastResult !== undefined) this.ledger.placeholder(this.lastResult);
  }

  /** The call read last has an id that cannot be sent; where its text can, a result with that text can stay. */
  renameLast(profile: Profile): void {
    const { lastCall: key, familyName } = this;
    if (key === undefined) return;
    const id = familyName === '' ? key : key.slice(familyName.length + 1);
    if (!isLegalId(id, profile)) (this.renamed ??= new Set()).add(key);
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
    if (this.ledger === undefined) this.endStep();
    else this.ledger.finish(this.phase !== 'content');
  }

  private newStep(): void {
    if (this.ledger === undefined) this.endStep();
    else this.ledger.newStep();
  }

  private endStep(): void {
    if (this.step.open > 0) this.unsure = true;
    this.step.clear();
  }

  /** What stands for an id that is empty, which names nothing, or one of tools whose ids are their own. */
  private keyOf(id: string | undefined): string | undefined {
    if (id === undefined || id === '') return undefined;
    return `${this.familyName}\n${id}`;
  }
}
