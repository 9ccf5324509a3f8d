import { isLegalId, isNameId, legalId } from '../model/call-id.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { joinTo, type FactLog } from './fact-log.ts';
import { PositionJoins, type Join, type Stray } from './position-joins.ts';
import { Step } from './step.ts';

/** An open call whose step is over. */
type PastCall = {
  readonly message: number;
  readonly part: number;
  readonly anchor: number;
  readonly order: number;
  readonly partial: boolean;
  /** Ids of all calls in the message that were open when the step was over. */
  readonly detail: readonly string[];
  late: boolean;
};

/** Where results of the step may stand: nowhere yet, in place, or only out of place. */
type Phase = 'none' | 'calls' | 'results' | 'content';

/** How many steps are remembered whole, so that a second answer soon after one is known as that. */
const REMEMBERED = 8;

/**
 * Matches calls with results. Ids are matched against the step that is open, because real histories use the same id
 * again in later turns; then against every call that was left open or answered by a placeholder, and all calls of the
 * last few steps.
 */
export class CallPairs {
  /** Ids of calls that have to be renamed; their results have to be renamed too, wherever they stand. */
  private renamed: Set<string> | undefined = undefined;
  private readonly log: FactLog;
  private readonly profile: Profile;
  private readonly endless: boolean;
  private readonly counted: boolean;
  /** By id: the last call left open. */
  private readonly past = new Map<string, PastCall>();
  /** By id: where a result stands that we invented. */
  private readonly placeholders = new Map<string, { message: number; part: number }>();
  /** The last steps, in a ring; the one that is open is among them. */
  private readonly steps: Step[] = [];
  private step = new Step();
  private stepCount = 0;
  private readonly open: PastCall[] = [];
  /** Results of no call behind the step that is open. */
  private unknown: Stray[] = [];
  private readonly joins: PositionJoins<PastCall>;
  /** The join in the step that is open. */
  private join: Join<PastCall> | undefined = undefined;
  private phase: Phase = 'none';
  private callInMessage = false;
  /** Somebody else than the assistant has spoken. */
  private heard = false;
  private suffixBroken = false;
  /** The user has spoken in the message before. */
  private prompted = false;
  /** The user has spoken since the calls, in a message without a result: another turn has begun. */
  private turnOver = false;
  /** The message read last carries a result. */
  private carries = false;
  /** The calls that are open have been told about; only a walk without an end tells before the step is over. */
  private told = false;
  /** Strange results may still be taken for those of the open calls. */
  private mayRelink = false;

  /** A list that is `endless` has no end yet, so an open call cannot wait for a late result. */
  constructor(log: FactLog, profile: Profile, endless: boolean) {
    this.log = log;
    this.profile = profile;
    this.endless = endless;
    this.counted = profile.countedResults === true;
    this.joins = new PositionJoins(log, endless);
    this.steps.push(this.step);
  }

  /** A message begins; `continues` when the one before was the assistant's too. */
  message(role: Role, continues: boolean): void {
    if (role === 'assistant') {
      this.callInMessage = false;
      this.suffixBroken = false;
      if (!continues || this.profile.step === 'message') this.newStep();
      // Where other content may follow calls, the step is answered behind all of it.
      else if (!this.profile.callsLast && this.step.count > 0) this.step.anchor = this.log.message;
      this.phase = 'calls';
      return;
    }
    this.heard = true;
    if (this.profile.carrier === 'tool') {
      if (role !== 'tool') this.leaveResults();
      else if (this.phase === 'calls') this.phase = 'results';
    } else if (role !== 'system') {
      // A result may share a message with what the user says, but not come in a later one, unless only the turn counts.
      if (this.phase === 'results' && this.prompted && !this.counted) this.phase = 'content';
      if (this.phase === 'content') this.endRun();
      if (this.phase === 'calls') this.phase = 'results';
      if (this.prompted && !this.carries) this.turnOver = true;
      this.prompted = false;
      this.carries = false;
    }
  }

  /** Where results are messages of their own, anybody else who speaks ends the run in which they may stand. */
  private leaveResults(): void {
    this.phase = 'content';
    this.endRun();
    if (!this.endless || this.told || this.step.open === 0) return;
    this.told = true;
    for (const call of this.openOf(this.step)) this.tell(call);
  }

  /** Nothing that comes from here on stands right behind the calls. */
  private endRun(): void {
    this.mayRelink = false;
    if (this.unknown.length === 0) return;
    if (this.relinks) this.relink();
    this.giveUpUnknown();
  }

  call(id: string | undefined): void {
    this.callInMessage = true;
    const step = this.step;
    if (id !== undefined) this.joins.release(id);
    if (!this.heard && step.count === 0) this.log.add('call-out-of-turn');
    if (id !== undefined && step.count > 0) {
      const first = step.find(id);
      if (first !== -1) {
        step.repeated = true;
        const noted = this.log.add('call-id-again');
        noted.other = step.callAt(first);
        noted.order = step.copies(id);
      }
    }
    step.add(id, this.log.message, this.log.part);
  }

  result(id: string | undefined): void {
    this.carries = true;
    if (id !== undefined && this.renamed?.has(id) === true) this.log.add('call-id-malformed');
    const step = this.step;
    const entry = id === undefined ? -1 : step.find(id);
    if (entry === -1 || this.phase === 'none') return this.resultElsewhere(id);
    if (step.resultMessage[entry] !== -1) {
      const join = id === undefined ? undefined : this.joins.of(id);
      if (join === undefined || join !== this.join) return this.resultAgain(step.resultAt(entry));
      this.reopen(join);
    }
    step.answer(entry, this.log.message, this.log.part);
    if (this.phase === 'results') step.anchor = this.log.message;
    else joinTo(this.log.add('result-displaced'), step.callAt(entry), { anchor: step.anchor, order: entry });
  }

  /** Where only the number counts, a second result may be that of another call, and the end of the message decides. */
  private resultAgain(other: { message: number; part: number }): void {
    const { message, part } = this.log;
    if (this.counted && this.step.open > 0) this.stray({ message, part, other });
    else this.log.add('result-again').other = other;
  }

  /** The result read last is one that we invented: the real one may come at any time. */
  placeholder(id: string): void {
    this.placeholders.set(id, { message: this.log.message, part: this.log.part });
  }

  /** The call read last has an id that cannot be sent; where its text can, a result with that text can stay. */
  renameLast(profile: Profile): void {
    const id = this.step.ids[this.step.count - 1];
    if (id !== undefined && !isLegalId(id, profile)) (this.renamed ??= new Set()).add(id);
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

  private resultElsewhere(id: string | undefined): void {
    const { message, part } = this.log;
    if (id === undefined) {
      this.stray({ message, part });
      return;
    }
    this.undoJoin(id);
    const call = this.past.get(id);
    if (call === undefined) return this.resultWithoutCall(id);
    call.late = true;
    this.past.delete(id);
    const step = this.recent(id);
    step?.answer(step.find(id), message, part);
    joinTo(this.log.add('result-displaced'), { message: call.message, part: call.part }, call);
  }

  private resultWithoutCall(id: string): void {
    const { message, part } = this.log;
    const step = this.recent(id);
    const other = this.placeholders.get(id) ?? step?.resultAt(step.find(id));
    if (other !== undefined && other.message !== -1) this.resultAgain(other);
    else if (this.isRenamed(id)) this.log.add('call-id-malformed');
    else this.stray({ message, part });
  }

  /** Only what stands right behind the calls may be theirs. */
  private stray(stray: Stray): void {
    if (this.mayRelink) this.unknown.push(stray);
    else this.joins.tellStray(stray);
  }

  /** True for the id of a call that was renamed when it was repaired, before this result of it came. */
  private isRenamed(id: string): boolean {
    if (!this.log.wants('call-id-malformed') || isLegalId(id, this.profile)) return false;
    const sent = legalId(id, this.profile.idMax);
    const call = this.past.get(sent);
    if (call !== undefined) {
      // Under its new name it answers the call, which is no longer open.
      call.late = true;
      this.past.delete(sent);
      return true;
    }
    const entry = this.step.find(sent);
    if (entry === -1 || this.step.resultMessage[entry] !== -1) return this.placeholders.has(sent);
    this.step.answer(entry, this.log.message, this.log.part);
    return true;
  }

  /** The step with a call of this id, if it is one of the last. */
  private recent(id: string): Step | undefined {
    return this.steps.find((step) => step.find(id) !== -1);
  }

  private newStep(): void {
    if (this.step.count > 0 || this.unknown.length > 0) this.endStep();
    this.phase = 'none';
    this.mayRelink = true;
    this.turnOver = false;
    this.prompted = false;
  }

  private endStep(): void {
    const step = this.step;
    if (this.unknown.length > 0) this.endRun();
    if (step.open > 0) for (const call of this.openOf(step)) this.leave(step.ids[call.order], call);
    this.told = false;
    this.join = undefined;
    this.stepCount += 1;
    const slot = this.stepCount % REMEMBERED;
    this.step = this.steps[slot] ??= new Step();
    this.step.clear();
  }

  private openOf(step: Step): PastCall[] {
    const partial = step.open < step.count;
    const open: PastCall[] = [];
    let detail: string[] = [];
    for (let order = 0; order < step.count; order += 1) {
      if (step.resultMessage[order] !== -1) continue;
      const { message, part } = step.callAt(order);
      if (open.at(-1)?.message !== message) detail = [];
      detail.push(step.ids[order] ?? '');
      open.push({ message, part, anchor: step.anchor, order, partial, detail, late: false });
    }
    return open;
  }

  /** A call left behind is certain to be refused now; only a walk with an end can wait for a late result. */
  private leave(id: string | undefined, call: PastCall): void {
    if (id !== undefined) this.past.set(id, call);
    if (!this.endless) this.open.push(call);
    else if (!this.told) this.tell(call);
  }

  private tell({ message, part, anchor, order, partial, detail }: PastCall, waiting = false): void {
    const noted = this.log.add('call-open', message, part);
    noted.anchor = anchor;
    noted.order = order;
    noted.partial = partial;
    noted.waiting = waiting;
    noted.detail = detail;
  }

  /** Judges the message read last; fewer strange results than open calls wait, because the others may come. */
  judgeNow(): void {
    if (this.unknown.length === 0) return;
    if (this.join !== undefined) this.reopen(this.join);
    const relinks = this.mayRelink && this.relinks;
    if (relinks) this.relink();
    if (relinks && this.phase !== 'content' && this.unknown.length < this.step.open) return;
    this.mayRelink &&= this.phase !== 'content' && this.unknown.length === 0;
    this.giveUpUnknown();
  }

  private get relinks(): boolean {
    return this.log.wants('result-misnamed') || this.isNumbered();
  }

  /** Where no id has to be repeated, results answer calls by their number, whoever asks about either of them. */
  private isNumbered(): boolean {
    const { resultIds } = this.profile;
    if (resultIds !== true) return resultIds === false;
    const { ids, count, resultMessage } = this.step;
    for (let entry = 0; entry < count; entry += 1) {
      if (resultMessage[entry] === -1 && !isNameId(String(ids[entry]))) return false;
    }
    return true;
  }

  private giveUpUnknown(): void {
    for (const stray of this.unknown) this.joins.tellStray(stray);
    this.unknown = [];
  }

  /**
   * As many strange results as open calls, right after them: the ids were lost, the order was not. Decided when the run
   * of results is over, and told at the end of the list, because a result under the id of such a call may still come.
   * Results of a list without an end are joined as soon as the numbers are equal, and told at once.
   */
  private relink(): void {
    const { step } = this;
    if (this.unknown.length !== step.open) return;
    const open = this.openOf(step);
    const pairs = this.unknown.flatMap((stray, index) =>
      open.slice(index, index + 1).map((call) => ({ stray, call, id: step.ids[call.order] })),
    );
    for (const { stray, call } of pairs) step.answer(call.order, stray.message, stray.part);
    this.unknown = [];
    this.join = this.joins.make(pairs);
  }

  /** An exact id counts more than a position, and without its result the numbers differ: the calls are open again. */
  private reopen(join: Join<PastCall>): void {
    this.join = undefined;
    this.mayRelink = false;
    this.joins.undo(join);
    for (const { call } of join.pairs) this.step.reopen(call.order);
  }

  /** The same when the step is over. */
  private undoJoin(id: string): void {
    const join = this.joins.of(id);
    if (join === undefined) return;
    for (const pair of this.joins.undo(join)) if (pair.id !== undefined) this.past.set(pair.id, pair.call);
    if (!this.endless) for (const { call } of join.pairs) this.open.push(call);
  }

  /** Calls that are open now and may still be answered, as places in the order of the calls. */
  openCalls(): { message: number; part: number }[] {
    const step = this.step;
    const open = [];
    for (let entry = 0; entry < step.count; entry += 1) {
      if (step.resultMessage[entry] === -1) open.push(step.callAt(entry));
    }
    return open;
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
  private get waits(): boolean {
    if (this.profile.carrier !== 'user') return this.phase !== 'content';
    return !this.turnOver && (this.carries || !this.prompted);
  }

  /** Calls that only the end of the list shows to be unanswered. */
  finish(): void {
    const first = this.step.count > 0 && this.waits ? this.step.message[0] : undefined;
    const waitingFrom = first ?? Number.POSITIVE_INFINITY;
    this.endStep();
    this.joins.finish();
    for (const call of this.open) if (!call.late) this.tell(call, call.message >= waitingFrom);
  }
}
