import { isLegalId } from '../model/call-id.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import type { FactLog } from './fact-log.ts';
import { PairLedger } from './pair-ledger.ts';
import { StepIndex, type Span } from './step-index.ts';
import { FreeStep } from './free-step.ts';

/** One for all walks, which overlap only where reading a message begins another. */
const index = new StepIndex();

type Options = {
  /** More messages will come. */
  readonly endless: boolean;
  /** Calls may stand in a list that the provider has kept. */
  readonly chained: boolean;
  /** Keep what is needed to look for a result anywhere in the list. */
  readonly ledger: boolean;
};

/** Steps that are not answered by themselves, and the ids in them. */
type Doubts = { readonly steps: Set<number>; readonly ids: Set<string> };

/**
 * Matches calls with results where a provider looks for a result anywhere in the list. Nearly every step is answered by
 * itself, and then nothing else in the list can change that; the others, and those that call under the same ids, have
 * to be read again with a ledger.
 */
export class FreePairs {
  /** Ids of calls that have to be renamed; their results have to be renamed too. */
  private renamed: Set<string> | undefined = undefined;
  private readonly log: FactLog;
  private readonly ledger: PairLedger | undefined;
  private readonly step = new FreeStep();
  private readonly round: number;
  private doubts: Doubts | undefined = undefined;
  /** The step that is open is not answered by itself. */
  private doubtful = false;
  private familyName = '';
  private lastCall: string | undefined = undefined;
  private lastResult: string | undefined = undefined;
  private phase: 'calls' | 'results' | 'content' = 'content';

  constructor(log: FactLog, options: Options) {
    this.log = log;
    this.ledger = options.ledger || options.endless ? new PairLedger(log, options) : undefined;
    this.round = this.ledger === undefined ? index.begin() : 0;
  }

  /** Some step is not answered by itself. */
  get unsure(): boolean {
    return this.doubts !== undefined;
  }

  /** The messages that have to be read again with a ledger, of the whole list. */
  spans(): Span[] {
    if (this.doubts === undefined) return [];
    const { steps, ids } = this.doubts;
    const end = this.log.message + 1;
    if (index.round !== this.round) return [{ from: 0, to: end }];
    index.addCalling(ids, steps);
    return [...steps].sort((a, b) => a - b).map((step) => index.span(step, end));
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
    if (key === undefined) this.doubtful = true;
    else if ((index.round !== this.round || index.call(key)) && this.step.has(key)) this.doubtful = true;
    this.step.add(key);
  }

  result(id: string | undefined): void {
    const key = this.familyName === '' && id !== '' ? id : this.keyOf(id);
    this.lastResult = key;
    if (key !== undefined && this.renamed?.has(key) === true) this.log.add('call-id-malformed');
    if (this.ledger !== undefined) return this.ledger.result(id, key, this.phase === 'results');
    if (key === undefined || !this.step.answer(key)) this.doubt(key);
  }

  /** A result that does not belong to an open call of the step. */
  private doubt(key: string | undefined): void {
    this.doubtful = true;
    this.doubts ??= { steps: new Set(), ids: new Set() };
    if (key !== undefined) this.doubts.ids.add(key);
  }

  /** The result read last is one that we invented: the real one may come at any time. */
  placeholder(): void {
    if (this.phase !== 'results') this.doubtful = true;
    if (this.lastResult !== undefined) this.ledger?.placeholder(this.lastResult);
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
    if (this.ledger !== undefined) return this.ledger.newStep();
    this.endStep();
    index.newStep(this.log.message);
  }

  private endStep(): void {
    const { step } = this;
    if (this.doubtful || step.open > 0) this.noteStep(step);
    this.doubtful = false;
    if (step.count > 0) step.clear();
  }

  private noteStep({ ids, count }: FreeStep): void {
    this.doubts ??= { steps: new Set(), ids: new Set() };
    this.doubts.steps.add(index.step);
    for (let entry = 0; entry < count; entry += 1) {
      const id = ids[entry];
      if (id !== undefined) this.doubts.ids.add(id);
    }
  }

  /** What stands for an id that is empty, which names nothing, or one of tools whose ids are their own. */
  private keyOf(id: string | undefined): string | undefined {
    if (id === undefined || id === '') return undefined;
    return `${this.familyName}\n${id}`;
  }
}
