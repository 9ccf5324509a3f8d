import { isLegalId, isNameId, legalId } from '../model/call-id.ts';
import { Pairs } from './pairs.ts';
import { placeOf, Step, type At, type Call, type Stray } from './step.ts';

/** How many steps are remembered whole, so that a second answer soon after one is known as that. */
const REMEMBERED = 8;

/**
 * Pairs where a result is looked for at the step of its call. Ids are matched against the step that is open, because
 * real histories use the same id again in later turns; then against every call that was left open or answered by a
 * placeholder, and all calls of the last few steps.
 */
export class StepPairs extends Pairs {
  /** By id: the last call left open, or answered by position. */
  private readonly past = new Map<string, Call>();
  /** By id: where a result stands that we invented. */
  private readonly placeholders = new Map<string, At>();
  /** The last steps, with the one that is open behind them. */
  private readonly steps: Step[] = [this.step];
  private readonly left: Call[] = [];
  /** Results of no call behind the step that is open. */
  private unknown: Stray[] = [];
  /** Calls that were open when results were joined to them by position. */
  private readonly joined: Call[] = [];
  /** Strange results may still be taken for those of the open calls. */
  private mayRelink = false;

  override call(id: string | undefined): void {
    // What comes under this id from here on belongs to another call.
    if (id !== undefined && this.past.get(id)?.stray !== undefined) this.past.delete(id);
    if (!this.heard && this.step.count === 0) this.log.add('call-out-of-turn');
    super.call(id);
  }

  /** Where results are messages of their own, anybody else who speaks ends the run in which they may stand. */
  protected runEnds(): void {
    this.endRun();
    if (this.profile.carrier !== 'tool' || !this.endless || this.step.open === 0) return;
    for (const call of this.openOfStep()) this.tellOpen(call);
  }

  private endRun(): void {
    this.mayRelink = false;
    if (this.unknown.length === 0) return;
    if (this.relinks) this.relink();
    this.giveUpUnknown();
  }

  protected answered(id: string | undefined, key: string | undefined): void {
    const { step, log } = this;
    const call = key === undefined ? undefined : step.find(key);
    if (call === undefined) return this.resultElsewhere(id, key);
    if (!call.isOpen) {
      if (call.stray === undefined) return this.resultAgain(call.result);
      this.undo(step);
    }
    step.answer(call, log);
    if (this.phase === 'results') step.anchor = log.message;
    else this.tellPair('result-displaced', log, call);
  }

  /** Where only the number counts, a second result may be that of another call, and the end of the message decides. */
  private resultAgain(other: At | undefined): void {
    if (this.profile.countedResults === true && this.step.open > 0) this.stray(undefined, other);
    else this.log.add('result-again').other = other;
  }

  placeholder(id: string): void {
    this.placeholders.set(id, placeOf(this.log));
  }

  private resultElsewhere(id: string | undefined, key: string | undefined): void {
    if (key === undefined) return this.stray(id);
    const call = this.past.get(key);
    if (call === undefined) return this.resultWithoutCall(key);
    if (call.stray !== undefined) this.undo(call.step);
    this.past.delete(key);
    call.step.answer(call, this.log);
    this.tellPair('result-displaced', this.log, call);
  }

  private resultWithoutCall(key: string): void {
    const recent = this.steps.findLast((step) => step.find(key) !== undefined);
    const other = this.placeholders.get(key) ?? recent?.find(key)?.result;
    if (other !== undefined) this.resultAgain(other);
    else if (this.isRenamed(key)) this.log.add('call-id-malformed');
    else this.stray(key);
  }

  /** Only what stands right behind the calls may be theirs. */
  private stray(id: string | undefined, other?: At): void {
    const stray = this.strayHere(id, id, other);
    if (this.mayRelink) this.unknown.push(stray);
    else this.tellStray(stray);
  }

  /** True for the id of a call that was renamed when it was repaired, before this result of it came. */
  private isRenamed(id: string): boolean {
    if (!this.log.wants('call-id-malformed') || isLegalId(id, this.profile)) return false;
    const sent = legalId(id, this.profile.idMax);
    const past = this.past.get(sent);
    if (past !== undefined) {
      // Under its new name it answers the call, which is no longer open.
      past.settled = true;
      this.past.delete(sent);
      return true;
    }
    const call = this.step.find(sent);
    if (call?.isOpen !== true) return this.placeholders.has(sent);
    this.step.answer(call, this.log);
    return true;
  }

  protected override newStep(): void {
    if (this.step.count > 0 || this.unknown.length > 0) this.endStep();
    this.mayRelink = true;
    super.newStep();
  }

  private endStep(): void {
    if (this.unknown.length > 0) this.endRun();
    if (this.step.open > 0) this.leaveOpen();
    const oldest = this.steps.length < REMEMBERED ? undefined : this.steps.shift();
    this.step = oldest === undefined || oldest.kept ? new Step() : oldest;
    this.step.clear();
    this.steps.push(this.step);
  }

  private openOfStep(): Call[] {
    const { step } = this;
    step.kept = true;
    const open = step.left();
    let message = -1;
    let detail: string[] = [];
    for (const call of open) {
      if (call.message !== message) detail = [];
      message = call.message;
      detail.push(call.id ?? '');
      call.partial = step.open < step.count;
      call.detail = detail;
    }
    return open;
  }

  /** A call left behind is certain to be refused now; only a walk with an end can wait for a late result. */
  private leaveOpen(): void {
    for (const call of this.openOfStep()) {
      if (call.key !== undefined) this.past.set(call.key, call);
      if (this.endless) this.tellOpen(call);
      else this.left.push(call);
    }
  }

  /** Fewer strange results than open calls wait, because the others may come. */
  judgeNow(): void {
    if (this.unknown.length === 0) return;
    this.undo(this.step);
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
    return this.step.left().every(({ id }) => isNameId(String(id)));
  }

  private giveUpUnknown(): void {
    for (const stray of this.unknown) this.tellStray(stray);
    this.unknown = [];
  }

  /**
   * Decided when the run of results is over, and told at the end of the list, because a result under the id of such a
   * call may still come. A list without an end is told at once, as soon as the numbers are equal.
   */
  private relink(): void {
    if (this.unknown.length !== this.step.open) return;
    const open = this.openOfStep();
    this.join(this.unknown, open);
    this.unknown = [];
    for (const call of open) {
      if (call.key !== undefined) this.past.set(call.key, call);
      if (!this.endless) this.joined.push(call);
    }
    if (this.endless) this.tellJoined(open);
  }

  /** An exact id counts more than a position, and without its result the numbers differ: the calls are open again. */
  private undo(step: Step): void {
    for (const call of step.all()) {
      if (call.stray === undefined) continue;
      this.tellStray(call.stray);
      call.stray = undefined;
      step.reopen(call);
      if (step === this.step) this.mayRelink = false;
      else if (!this.endless) this.left.push(call);
    }
  }

  openCalls(): { message: number; part: number }[] {
    return this.step.left().map(placeOf);
  }

  finish(): void {
    const waiting = this.waits ? this.step : undefined;
    this.endStep();
    this.tellJoined(this.joined);
    for (const call of this.left) this.tellOpen(call, call.step === waiting);
  }
}
