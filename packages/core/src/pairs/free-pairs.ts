import type { Profile } from '../model/profile.ts';
import type { PairLog } from './pair-log.ts';
import { Pairs } from './pairs.ts';
import { Queue, placeOf, Step, type At, type Call, type Stray } from './step.ts';

/** All calls and results under one key. */
class Namesakes {
  /** Calls that nothing answers, and those that nobody has told about either. */
  readonly open: Queue<Call> = new Queue((call) => call.isOpen);
  readonly left: Queue<Call> = new Queue((call) => call.isLeft);
  results = 0;
  /** The call that was answered last. */
  last: Call | undefined = undefined;
  placeholder: At | undefined = undefined;

  add(call: Call): void {
    this.open.list.push(call);
    this.left.list.push(call);
  }
}

type Options = { readonly endless: boolean; readonly chained: boolean };

/**
 * Pairs where a provider looks for a result anywhere in the list. A result answers a call of its own step first, then
 * the oldest open call before it; what is left over is judged at the end, when it is known which ids there are. Every
 * call and every result is remembered, which costs 0.08 × JSON.parse at 10,000 messages, so lists are first walked with
 * `StepPairs`: where each step is answered by itself, nothing else in the list can change that.
 */
export class FreePairs extends Pairs {
  /** Calls may stand in a list that the provider has kept. */
  private readonly chained: boolean;
  private readonly byKey = new Map<string, Namesakes>();
  private readonly open = new Set<Call>();
  /** Calls that are judged at the end. */
  private untold: Call[] = [];
  private strays: Stray[] = [];
  /** Strange results in the run right behind a step. */
  private readonly behind = new Map<Step, Stray[]>();
  private lastKey: string | undefined = undefined;
  /** Somebody else has spoken since the last steps began; until then results of parallel calls may still come. */
  private spoken = false;

  constructor(log: PairLog, profile: Profile, { endless, chained }: Options) {
    super(log, profile, endless);
    this.chained = chained;
  }

  protected override newStep(): void {
    super.newStep();
    if (this.endless) {
      for (const strays of this.behind.values()) this.judgeNamed(strays);
      this.relinkAll();
      if (this.spoken) this.tellUntold();
    }
    this.step = new Step();
  }

  override call(id: string | undefined): void {
    super.call(id);
    const call = this.step.last;
    if (call === undefined) return;
    this.untold.push(call);
    this.open.add(call);
    if (call.key !== undefined) this.of(call.key).add(call);
  }

  protected answered(id: string | undefined, key: string | undefined): void {
    const { step, log } = this;
    const inPlace = this.phase === 'results';
    this.lastKey = key;
    if (inPlace) step.anchor = log.message;
    if (key === undefined) return this.stray(id, key, inPlace);
    const known = this.of(key);
    known.results += 1;
    if (known.open.list.length === 0) return this.stray(id, key, inPlace);
    const call = step.find(key) ?? known.open.first();
    if (call?.isOpen !== true) return this.again(known);
    call.step.answer(call, log);
    known.last = call;
    this.open.delete(call);
  }

  private again({ open, placeholder, last }: Namesakes): void {
    const newest = open.list.at(-1);
    // A list without an end joins before it knows whether a result under the id of the call will come.
    if (newest?.stray === undefined) this.log.add('result-again').other = placeholder ?? last?.result;
    else newest.stray = undefined;
  }

  private stray(id: string | undefined, key: string | undefined, inPlace: boolean): void {
    const stray = this.strayHere(id, key);
    this.strays.push(stray);
    if (!inPlace) return;
    const run = this.behind.get(this.step);
    if (run === undefined) this.behind.set(this.step, [stray]);
    else run.push(stray);
  }

  /** Away from its call it answers nothing: the call is closed in its place, as when the placeholder was made. */
  placeholder(): void {
    const known = this.lastKey === undefined ? undefined : this.byKey.get(this.lastKey);
    const last = known?.last;
    if (known === undefined || last?.resultMessage !== this.log.message) return;
    if (last.step === this.step && this.phase === 'results') {
      known.placeholder = last.result;
      return;
    }
    last.step.reopen(last);
    this.open.add(last);
    this.log.add('result-again');
  }

  openCalls(): { message: number; part: number }[] {
    return [...this.open].map(placeOf);
  }

  judgeNow(): void {
    // A result may still come from anywhere.
  }

  /** A list without an end waits no longer for the calls of results that came before. */
  protected runEnds(): void {
    this.spoken = true;
    if (this.endless) this.judgeStrays();
  }

  private relinkAll(): void {
    for (const [step, strays] of this.behind) this.relink(step, strays);
    this.behind.clear();
  }

  /** Results that stand before their call, and results under the id of an open call to a tool of another family. */
  private judgeNamed(strays: readonly Stray[]): void {
    let byId: Map<string | undefined, Queue<Call>> | undefined;
    for (const stray of strays) {
      const { id, key } = stray;
      if (stray.taken || key === undefined) continue;
      const { left } = this.of(key);
      const early = left.list.length > 0;
      if (!early && (this.chained || !this.log.wants('result-misnamed'))) continue;
      // Where no call has its key, only the kind of the result may be wrong.
      const call = (early ? left : (byId ??= this.leftById()).get(id))?.first();
      if (!early && call === undefined) continue;
      stray.taken = true;
      if (call !== undefined) call.settled = true;
      this.tellPair(early ? 'result-early' : 'result-misnamed', stray, call);
    }
  }

  private leftById(): Map<string | undefined, Queue<Call>> {
    const byId = new Map<string | undefined, Queue<Call>>();
    for (const call of this.open) {
      const queue = byId.get(call.id) ?? new Queue<Call>((each) => each.isLeft);
      byId.set(call.id, queue);
      queue.list.push(call);
    }
    return byId;
  }

  private judgeStrays(): void {
    // What has the id of a call is that call's alone, even before it.
    this.judgeNamed(this.strays);
    this.relinkAll();
    for (const stray of this.strays) {
      if (!stray.taken && !(this.chained && stray.key !== undefined)) this.tellStray(stray);
    }
    this.strays = [];
  }

  finish(): void {
    this.judgeStrays();
    this.tellUntold(this.waits ? this.step : undefined);
  }

  private of(key: string): Namesakes {
    let known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, (known = new Namesakes()));
    return known;
  }

  /** A call that has a result of its own anywhere in the list is not open. */
  private relink(step: Step, run: readonly Stray[]): void {
    // Where nobody joins what was misnamed, the call is open and its result strange.
    if (!this.log.wants('result-misnamed')) return;
    const strays = run.filter(({ key, taken }) => !taken && (key === undefined || !this.chained));
    const open = step.all().filter((call) => call.isLeft);
    if (strays.length !== open.length) return;
    this.join(strays, open);
    this.tellJoined(open);
    for (const stray of strays) stray.taken = true;
    for (const call of open) this.open.delete(call);
  }

  /** Calls of the step that waits may still be answered. */
  private tellUntold(waiting?: Step): void {
    for (const call of this.untold) {
      const { step, key } = call;
      call.partial = step.open < step.count;
      // A provider that looks for the id alone is content with the result of another call.
      const shared = key !== undefined && this.of(key).results > 0;
      this.tellOpen(call, step === waiting, shared ? 'call-open-again' : 'call-open');
    }
    this.untold = [];
    this.spoken = false;
  }
}
