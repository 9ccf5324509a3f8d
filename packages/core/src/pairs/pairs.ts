import { isLegalId } from '../model/call-id.ts';
import type { Fact } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import type { PairLog } from './pair-log.ts';
import { placeOf, Step, type At, type Call, type Stray } from './step.ts';

/** Matches calls with results: told message by message and part by part, it says what does not belong together. */
export abstract class Pairs {
  protected readonly log: PairLog;
  protected readonly profile: Profile;
  /** More messages will come, so an open call cannot wait for a late result. */
  protected readonly endless: boolean;
  protected step: Step = new Step();
  /** Where results of the step may stand: nowhere yet, in place, or only out of place. */
  protected phase: 'calls' | 'results' | 'content' = 'content';
  /** Somebody else than the assistant has spoken. */
  protected heard = false;
  /** Keys of calls that have to be renamed; their results have to be renamed too, wherever they stand. */
  private renamed: Set<string> | undefined = undefined;
  private family = '';
  private callInMessage = false;
  private suffixBroken = false;
  /** The user has spoken in the message before. */
  private prompted = false;
  /** The user has spoken since the calls, in a message without a result: another turn has begun. */
  private turnOver = false;
  /** The message read last carries a result. */
  private carries = false;

  constructor(log: PairLog, profile: Profile, endless: boolean) {
    this.log = log;
    this.profile = profile;
    this.endless = endless;
  }

  /** A message begins; `continues` when the one before was the assistant's too. */
  message(role: Role, continues: boolean): void {
    const { profile } = this;
    this.family = '';
    if (role === 'assistant') {
      this.callInMessage = false;
      this.suffixBroken = false;
      const goesOn = profile.pairs === 'anywhere' ? this.phase === 'calls' : continues && profile.step === 'turn';
      if (!goesOn) this.newStep();
      // Where other content may follow calls, the step is answered behind all of it.
      else if (!profile.callsLast && this.step.count > 0) this.step.anchor = this.log.message;
      this.phase = 'calls';
      return;
    }
    this.heard = true;
    if (profile.carrier === 'tool') {
      if (role !== 'tool') {
        this.phase = 'content';
        this.runEnds();
      } else if (this.phase === 'calls') this.phase = 'results';
    } else if (role !== 'system') this.userMessage();
  }

  private userMessage(): void {
    // A result may share a message with what the user says, but not come in a later one, unless only the turn counts.
    if (this.phase === 'results' && this.prompted && this.profile.countedResults !== true) this.phase = 'content';
    if (this.phase === 'content') this.runEnds();
    if (this.phase === 'calls') this.phase = 'results';
    if (this.prompted && !this.carries) this.turnOver = true;
    this.prompted = false;
    this.carries = false;
  }

  /** The next call or result belongs to tools whose ids are their own. */
  startFamily(name: string): void {
    if (this.profile.pairs === 'anywhere') this.family = name;
  }

  call(id: string | undefined): void {
    const { step, log } = this;
    const key = this.keyOf(id);
    this.callInMessage = true;
    const first = key === undefined || step.count === 0 ? undefined : step.find(key);
    if (key !== undefined && first !== undefined) {
      step.repeated = true;
      const noted = log.add('call-id-again');
      noted.other = placeOf(first);
      noted.order = step.copies(key);
    }
    step.add(log, id, key);
  }

  result(id: string | undefined): void {
    const key = this.keyOf(id);
    this.carries = true;
    if (key !== undefined && this.renamed?.has(key) === true) this.log.add('call-id-malformed');
    this.answered(id, key);
  }

  /** The call read last has an id that cannot be sent; where its text can, a result with that text can stay. */
  renameLast(profile: Profile): void {
    const { id, key } = this.step.last ?? {};
    if (id !== undefined && key !== undefined && !isLegalId(id, profile)) (this.renamed ??= new Set()).add(key);
  }

  /** Something other than a call in an assistant message. */
  assistantContent(): void {
    if (!this.profile.callsLast || this.step.count === 0 || this.suffixBroken) return;
    if (this.callInMessage) {
      this.suffixBroken = true;
      this.log.add('content-after-call');
    } else {
      this.newStep();
      this.phase = 'calls';
    }
  }

  /** Something other than a result in a user message. */
  userContent(kind: PartKind): void {
    if (kind !== 'opaque') this.prompted = true;
    if (this.profile.resultsFirst && this.phase === 'results') this.phase = 'content';
  }

  /** The call read last is the first of its step. */
  get opensStep(): boolean {
    return this.step.count === 1;
  }

  /** The list ends with this step, answered or about to be. */
  get continuing(): boolean {
    return this.step.count > 0 && this.phase === 'results';
  }

  /** The turn of the last step goes on, so that its calls may still be answered. */
  protected get waits(): boolean {
    if (this.profile.carrier !== 'user') return this.phase !== 'content';
    return !this.turnOver && (this.carries || !this.prompted);
  }

  /** The result read last is one that we invented: the real one may come at any time. */
  abstract placeholder(id: string): void;

  /** Calls that are open now and may still be answered, as places in the order of the calls. */
  abstract openCalls(): { message: number; part: number }[];

  /** Judges the message read last. */
  abstract judgeNow(): void;

  /** What only the end of the list shows. */
  abstract finish(): void;

  protected abstract answered(id: string | undefined, key: string | undefined): void;

  /** Nothing that comes from here on stands right behind the calls. */
  protected abstract runEnds(): void;

  protected newStep(): void {
    this.turnOver = false;
    this.prompted = false;
  }

  /** The result read last names no call. */
  protected strayHere(id: string | undefined, key: string | undefined, other?: At): Stray {
    return { ...placeOf(this.log), id, key, other, taken: false };
  }

  /** As many strange results as open calls, right after them: the ids were lost, the order was not. */
  protected join(strays: readonly Stray[], open: readonly Call[]): void {
    for (const [at, stray] of strays.entries()) {
      for (const call of open.slice(at, at + 1)) {
        call.step.answer(call, stray);
        call.stray = stray;
      }
    }
  }

  protected tellJoined(calls: readonly Call[]): void {
    for (const call of calls) if (call.stray !== undefined) this.tellPair('result-misnamed', call.stray, call);
  }

  /** A fact about a result and the call that it belongs to. */
  protected tellPair(fact: Fact, { message, part }: At, call: Call | undefined): void {
    const noted = this.log.add(fact, message, part);
    if (call === undefined) return;
    noted.other = placeOf(call);
    noted.anchor = call.step.anchor;
    noted.order = call.order;
  }

  protected tellStray({ message, part, other }: Stray): void {
    this.log.add(other ? 'result-again' : 'result-unknown', message, part).other = other;
  }

  /** A call is told about once, though its result may still come. */
  protected tellOpen(call: Call, waiting = false, fact: 'call-open' | 'call-open-again' = 'call-open'): void {
    if (!call.isLeft) return;
    const noted = this.log.add(fact, call.message, call.part);
    noted.anchor = call.step.anchor;
    noted.order = call.order;
    noted.partial = call.partial;
    noted.detail = call.detail;
    noted.waiting = waiting;
    call.settled = true;
  }

  /** What stands for an id among all tools; where results may stand anywhere, an empty one names nothing. */
  private keyOf(id: string | undefined): string | undefined {
    if (id === '' && this.profile.pairs === 'anywhere') return undefined;
    return id === undefined || this.family === '' ? id : `${this.family}\n${id}`;
  }
}
