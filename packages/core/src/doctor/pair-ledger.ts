import type { NewFact } from '../model/fact.ts';
import { joinTo, type FactLog } from './fact-log.ts';

type At = { readonly message: number; readonly part: number };

type StepRecord = {
  /** The last message of the step, or of the results right behind it. */
  anchor: number;
  readonly calls: Call[];
  /** Strange results in the run right behind the step. */
  readonly strays: Stray[];
};

type Call = At & {
  readonly id: string | undefined;
  readonly key: string | undefined;
  readonly step: StepRecord;
  readonly order: number;
  /** Where the call is answered. */
  answer: At | undefined;
  /** The message that answers the call in the run of results right behind its step; never, if none does. */
  inPlace: number;
  /** Told about already, or about to be answered by a result that stands before it. */
  settled: boolean;
  /** Answered by position, in a list without an end: a result under its id may still come. */
  joined: boolean;
};

/** A result that names no call before it. */
type Stray = At & { readonly id: string | undefined; readonly key: string | undefined; taken: boolean };

/** All calls and results under one id. */
type Pairs = {
  readonly calls: Call[];
  results: number;
  /** Index of the first call of the step that was open last, and of the first open one there and anywhere. */
  own: number;
  ownOpen: number;
  open: number;
  /** The same at the end of the list, where calls that are told about no longer count. */
  left: number;
  /** The call that was answered last. */
  last: Call | undefined;
  placeholder: At | undefined;
};

/** Calls under one id, and the first of them that may still be open. */
type Queue = { readonly calls: readonly Call[]; left: number };

/** No list is that long, and a number of this size needs no object of its own. */
const NEVER = 2 ** 30;

type Options = { readonly endless: boolean; readonly chained: boolean };

/**
 * Remembers every call and result of a list. A result answers a call of its own step first, then the oldest open call
 * before it; what is left over is judged at the end, when it is known which ids there are.
 */
export class PairLedger {
  readonly #log: FactLog;
  readonly #options: Options;
  readonly #byKey = new Map<string, Pairs>();
  readonly #steps: StepRecord[] = [];
  readonly #strays: Stray[] = [];
  /** Calls of earlier steps that nothing answers. */
  readonly #open = new Set<Call>();
  #step: StepRecord = { anchor: -1, calls: [], strays: [] };
  /** Somebody else has spoken since the last steps began; until then results of parallel calls may still come. */
  #spoken = false;

  constructor(log: FactLog, options: Options) {
    this.#log = log;
    this.#options = options;
  }

  newStep(): void {
    if (this.#options.endless) {
      this.#relinkNow();
      if (this.#spoken) this.#tellOpen();
    }
    this.#leaveStep(this.#step);
    this.#step = { anchor: this.#log.message, calls: [], strays: [] };
    this.#steps.push(this.#step);
  }

  #leaveStep({ calls }: StepRecord): void {
    for (const call of calls) if (call.answer === undefined) this.#open.add(call);
  }

  /** Another message of the step that is open: results belong behind it. */
  anchorAt(message: number): void {
    this.#step.anchor = message;
  }

  call(id: string | undefined, key: string | undefined): void {
    const { message, part } = this.#log;
    const step = this.#step;
    const order = step.calls.length;
    const call = {
      message,
      part,
      id,
      key,
      step,
      order,
      answer: undefined,
      inPlace: NEVER,
      settled: false,
      joined: false,
    };
    step.calls.push(call);
    if (key === undefined) return;
    const pairs = this.#byKey.get(key);
    if (pairs === undefined) {
      this.#byKey.set(key, newPairs([call]));
      return;
    }
    this.#enterStep(pairs);
    const other = pairs.calls[pairs.own];
    if (other !== undefined) {
      const noted = this.#log.add('call-id-again');
      noted.other = placeOf(other);
      noted.order = pairs.calls.length - pairs.own;
    }
    pairs.calls.push(call);
  }

  result(id: string | undefined, key: string | undefined, inPlace: boolean): void {
    const { message, part } = this.#log;
    const step = this.#step;
    if (inPlace) step.anchor = message;
    const pairs = key === undefined ? undefined : this.#pairsOf(key);
    if (pairs !== undefined) pairs.results += 1;
    if (pairs === undefined || pairs.calls.length === 0)
      return this.#addStray({ message, part, id, key, taken: false }, inPlace);
    this.#enterStep(pairs);
    const call = firstOpen(pairs);
    if (call === undefined) {
      const newest = pairs.calls.at(-1);
      if (newest?.joined === true) newest.joined = false;
      else this.#log.add('result-again').other = pairs.placeholder ?? pairs.last?.answer;
      return;
    }
    call.answer = { message, part };
    if (inPlace && call.step === step) call.inPlace = message;
    pairs.last = call;
    if (call.step !== step) this.#open.delete(call);
  }

  #addStray(stray: Stray, inPlace: boolean): void {
    this.#strays.push(stray);
    if (inPlace) this.#step.strays.push(stray);
  }

  /**
   * The result read last is one that we invented. Away from its call it answers nothing: the call is closed in its
   * place, as it was when the placeholder was made.
   */
  placeholder(key: string): void {
    const pairs = this.#pairsOf(key);
    const { last } = pairs;
    if (last?.answer?.message !== this.#log.message) return;
    if (last.inPlace === this.#log.message) {
      pairs.placeholder = last.answer;
      return;
    }
    last.answer = undefined;
    if (last.step !== this.#step) this.#open.add(last);
    this.#log.add('result-again');
  }

  openCalls(): At[] {
    return this.#allOpen().map(placeOf);
  }

  #allOpen(): Call[] {
    return [...this.#open, ...this.#step.calls.filter(({ answer }) => answer === undefined)];
  }

  /** Somebody else speaks. A list without an end waits no longer for the calls of results that came before. */
  runEnds(): void {
    this.#spoken = true;
    if (!this.#options.endless || this.#strays.length === 0) return;
    this.#judgeNamed(this.#strays);
    this.#relinkNow();
    this.#judgeStrays();
    this.#strays.length = 0;
  }

  #relinkNow(): void {
    const { strays } = this.#step;
    if (strays.length === 0) return;
    this.#judgeNamed(strays);
    this.#relink(this.#step);
    strays.length = 0;
  }

  /** Results that stand before their call, and results under the id of an open call to a tool of another family. */
  #judgeNamed(strays: readonly Stray[]): void {
    let byId: Map<string | undefined, Queue> | undefined;
    for (const stray of strays) {
      const { message, part, id, key } = stray;
      if (stray.taken || key === undefined) continue;
      const pairs = this.#pairsOf(key);
      if (pairs.calls.length > 0) {
        stray.taken = true;
        this.#tellStray(this.#log.add('result-early', message, part), firstLeft(pairs));
        continue;
      }
      if (this.#options.chained || !this.#log.wants('result-misnamed')) continue;
      // Only the kind of the result is wrong.
      const call = firstLeft((byId ??= this.#openById()).get(id));
      if (call === undefined) continue;
      stray.taken = true;
      this.#tellStray(this.#log.add('result-misnamed', message, part), call);
    }
  }

  #judgeStrays(): void {
    for (const { message, part, key, taken } of this.#strays) {
      if (!taken && !(this.#options.chained && key !== undefined)) this.#log.add('result-unknown', message, part);
    }
  }

  #openById(): Map<string | undefined, Queue> {
    const byId = new Map<string | undefined, Queue>();
    for (const [id, calls] of Map.groupBy(this.#allOpen(), (call) => call.id)) byId.set(id, { calls, left: 0 });
    return byId;
  }

  /** The end of the list: `waiting` when nothing but results follows the last step. */
  finish(waiting: boolean): void {
    // What has the id of a call is that call's alone, even before it.
    this.#judgeNamed(this.#strays);
    for (const step of this.#steps) if (step.strays.length > 0) this.#relink(step);
    this.#judgeStrays();
    for (const step of this.#steps) this.#judgeOpen(step, waiting && step === this.#step);
  }

  #pairsOf(key: string): Pairs {
    let pairs = this.#byKey.get(key);
    if (pairs === undefined) {
      pairs = newPairs([]);
      this.#byKey.set(key, pairs);
    }
    return pairs;
  }

  /** Calls of an earlier step are behind us. */
  #enterStep(pairs: Pairs): void {
    if (pairs.calls[pairs.own]?.step === this.#step) return;
    pairs.own = pairs.calls.length;
    pairs.ownOpen = pairs.own;
  }

  /**
   * As many strange results as open calls, right after them: the ids were lost, the order was not. A call that has a
   * result of its own anywhere in the list is not open.
   */
  #relink(step: StepRecord): void {
    // Where nobody joins what was misnamed, the call is open and its result strange.
    if (!this.#log.wants('result-misnamed')) return;
    const strays = step.strays.filter(({ key, taken }) => !taken && (key === undefined || !this.#options.chained));
    const open = step.calls.filter(isOpen);
    if (strays.length !== open.length) return;
    for (const [index, call] of open.entries()) {
      for (const stray of strays.slice(index, index + 1)) this.#join(stray, call);
    }
  }

  #join(stray: Stray, call: Call): void {
    const { message, part } = stray;
    call.answer = { message, part };
    call.joined = this.#options.endless;
    this.#open.delete(call);
    stray.taken = true;
    const { anchor } = call.step;
    joinTo(this.#log.add('result-misnamed', message, part), placeOf(call), { anchor, order: call.order });
  }

  /** A call that a stray result belongs to is settled. */
  #tellStray(noted: NewFact, call: Call | undefined): void {
    if (call === undefined) return;
    call.settled = true;
    joinTo(noted, placeOf(call), { anchor: call.step.anchor, order: call.order });
  }

  #judgeOpen({ calls, anchor }: StepRecord, waiting: boolean): void {
    let partial: boolean | undefined;
    for (const call of calls) {
      if (!isOpen(call)) continue;
      partial ??= calls.some(({ answer }) => answer !== undefined);
      const { message, part, order, key } = call;
      // A provider that looks for the id alone is content with the result of another call.
      const shared = key !== undefined && this.#pairsOf(key).results > 0;
      const noted = this.#log.add(shared ? 'call-open-again' : 'call-open', message, part);
      noted.anchor = anchor;
      noted.order = order;
      noted.partial = partial;
      noted.waiting = waiting;
    }
  }

  /** A call left behind is told about once; its result may still come. */
  #tellOpen(): void {
    for (const step of this.#steps) {
      this.#judgeOpen(step, false);
      for (const call of step.calls) call.settled = true;
    }
    this.#steps.length = 0;
    this.#spoken = false;
  }
}

function newPairs(calls: Call[]): Pairs {
  return { calls, results: 0, own: 0, ownOpen: 0, open: 0, left: 0, last: undefined, placeholder: undefined };
}

function isOpen({ answer, settled }: Call): boolean {
  return answer === undefined && !settled;
}

/** The oldest call that nothing answers; those before it stay answered, so none is asked twice. */
function firstLeft(queue: Queue | undefined): Call | undefined {
  if (queue === undefined) return undefined;
  const { calls } = queue;
  for (let call = calls[queue.left]; call !== undefined && !isOpen(call); call = calls[queue.left]) queue.left += 1;
  return calls[queue.left];
}

function placeOf({ message, part }: At): { message: number; part: number } {
  return { message, part };
}

/** The open call that a result answers: of its own step, or else the oldest; none where its own step has its answer. */
function firstOpen(pairs: Pairs): Call | undefined {
  const { calls } = pairs;
  if (pairs.own < calls.length) {
    while (calls[pairs.ownOpen]?.answer !== undefined) pairs.ownOpen += 1;
    return calls[pairs.ownOpen];
  }
  while (calls[pairs.open]?.answer !== undefined) pairs.open += 1;
  return calls[pairs.open];
}
