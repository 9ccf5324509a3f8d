import type { RequestFacts, Sink } from '../model/codec.ts';
import type { Detail, Fact, FactRecord } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { Step } from './step.ts';

/** A call whose step is over. */
type PastCall = {
  readonly message: number;
  readonly part: number;
  readonly anchor: number;
  readonly order: number;
  readonly partial: boolean;
  answered: boolean;
  resultMessage: number;
  resultPart: number;
};

/** Where results of the current step may stand: nowhere yet, in place, or only out of place. */
type Phase = 'none' | 'calls' | 'results' | 'content';

type WalkOptions = {
  readonly profile: Profile;
  readonly request: RequestFacts | undefined;
  readonly purpose: 'history' | 'request';
  /** A user message will follow the list. */
  readonly next: 'user' | undefined;
  /** Facts that some rule listens to; the others are not recorded. */
  readonly wanted: ReadonlySet<Fact>;
  /** Ids whose calls are remembered, so that a result can be traced to a step long past. */
  readonly traced: ReadonlySet<string> | 'all' | undefined;
};

/**
 * Pairs calls with results and orders messages in one pass over what a codec reads. Ids are matched against the step
 * that is open, because real histories use the same id again in later turns; only a result that matches nothing there
 * needs earlier calls, and a walk that did not remember them names their ids (`missed`) so that a second one can.
 */
export class Walk implements Sink {
  deep = true;
  index = -1;
  total = 0;
  readonly missed: Set<string> = new Set();
  /** The last message with reasoning in it. */
  lastReasoning = -1;
  /** What the codec noticed, and what this walk worked out. */
  local: FactRecord[] = [];
  readonly worked: FactRecord[] = [];
  readonly profile: Profile;
  readonly request: RequestFacts | undefined;
  readonly #purpose: 'history' | 'request';
  readonly #wanted: ReadonlySet<Fact>;
  readonly #next: 'user' | undefined;
  readonly #traced: ReadonlySet<string> | 'all' | undefined;
  readonly #calls: Map<string, PastCall> = new Map();
  readonly #step = new Step();
  #open: PastCall[] = [];
  #unknown: { message: number; part: number }[] = [];
  #part = -1;
  #role: Role | undefined;
  #previous: Role | undefined;
  #phase: Phase = 'none';
  #callInMessage = false;
  #suffixBroken = false;
  #sawTools = false;
  #lastServer = false;
  #prompted = false;
  #stepOpensWithReasoning = false;
  #turnStarted = false;
  #systemRun: number[] = [];
  readonly #server = new Step();
  #markers: FactRecord[] = [];
  #images: FactRecord[] = [];

  constructor(options: WalkOptions) {
    this.profile = options.profile;
    this.request = options.request;
    this.#purpose = options.purpose;
    this.#wanted = options.wanted;
    this.#next = options.next;
    this.#traced = options.traced;
  }

  message(role: Role): void {
    this.#endMessage();
    if (this.profile.serverPairs === 'message') this.#endServerPairs();
    this.index += 1;
    this.#part = -1;
    this.#role = role;
    this.#callInMessage = false;
    this.#suffixBroken = false;
    if (role === 'system') return this.#systemMessage();
    if (this.#previous === undefined && role !== 'user' && role !== 'unreadable') this.#add('first-not-user');
    if (this.#systemRun.length > 0) this.#closeSystemRun(role);
    if (role === 'assistant') this.#assistantMessage();
    else this.#otherMessage(role);
    if (role === this.#previous && role !== 'tool' && role !== 'unreadable') this.#add('same-role');
    this.#previous = role;
  }

  #assistantMessage(): void {
    if (this.#previous !== 'assistant') {
      this.#endServerPairs();
      this.#newStep();
      this.#turnStarted = true;
      this.#stepOpensWithReasoning = false;
    } else if (this.profile.step === 'message') {
      this.#newStep();
    }
    this.#phase = 'calls';
  }

  #otherMessage(role: Role): void {
    if (this.profile.carrier === 'user') {
      // A result may share a message with what the user says, but not come in a later one.
      if (this.#phase === 'results' && this.#prompted) this.#phase = 'content';
      if (this.#phase === 'calls') this.#phase = 'results';
      this.#prompted = false;
    } else if (role !== 'tool') {
      this.#phase = 'content';
    } else if (this.#phase === 'calls') {
      this.#phase = 'results';
    }
  }

  #systemMessage(): void {
    if (this.profile.carrier === 'tool') this.#phase = 'content';
  }

  #endMessage(): void {
    // A system message without parts only sets options and may stand anywhere.
    if (this.#role === 'system' && this.#part >= 0) {
      this.#add(this.#previous === undefined ? 'system-first' : 'system-later', { part: -1 });
      if (this.#previous !== undefined) {
        if (this.#previous === 'assistant' && !this.#lastServer) this.#add('system-misplaced', { part: -1 });
        else this.#systemRun.push(this.index);
      }
    }
  }

  #closeSystemRun(role: Role): void {
    const run = this.#systemRun;
    this.#systemRun = [];
    if (role === 'user') for (const message of run) this.#add('system-misplaced', { message, part: -1 });
  }

  part(kind: PartKind, id: string | undefined, server: boolean): void {
    this.#part += 1;
    if (this.#turnStarted) {
      this.#stepOpensWithReasoning = kind === 'reasoning';
      this.#turnStarted = false;
    }
    if (kind === 'reasoning') this.lastReasoning = this.index;
    const role = this.#role;
    if (role === 'assistant') this.#lastServer = server;
    if (server) {
      if (role === 'assistant') this.#serverPart(kind, id);
    } else if (kind === 'call') {
      this.#sawTools = true;
      if (role === 'assistant') this.#call(id);
      return;
    } else if (kind === 'result') {
      this.#sawTools = true;
      if (role !== 'assistant' && role !== 'system') this.#result(id);
      return;
    }
    if (role === 'assistant') this.#assistantContent();
    else if (role === 'user') this.#userContent(kind);
  }

  #assistantContent(): void {
    if (!this.profile.callsLast || this.#step.count === 0 || this.#suffixBroken) return;
    if (this.#callInMessage) {
      this.#suffixBroken = true;
      this.#add('content-after-call');
    } else {
      this.#newStep();
      this.#phase = 'calls';
    }
  }

  #userContent(kind: PartKind): void {
    if (kind !== 'opaque') this.#prompted = true;
    if (this.profile.resultsFirst && this.#phase === 'results') this.#phase = 'content';
    this.#reportServer();
  }

  #call(id: string | undefined): void {
    this.#callInMessage = true;
    const step = this.#step;
    const first = id === undefined ? -1 : step.find(id);
    if (first !== -1) {
      const other = { message: step.message[first] ?? -1, part: step.part[first] ?? -1 };
      this.#add('call-id-again', { other, order: step.copies(id ?? '') });
    }
    step.add(id, this.index, this.#part);
  }

  #result(id: string | undefined): void {
    const step = this.#step;
    const entry = id === undefined ? -1 : step.find(id);
    if (entry === -1 || this.#phase === 'none') return this.#resultElsewhere(id);
    if (step.resultMessage[entry] !== -1) {
      const other = { message: step.resultMessage[entry] ?? -1, part: step.resultPart[entry] ?? -1 };
      return this.#add('result-again', { other });
    }
    const call = { message: step.message[entry] ?? -1, part: step.part[entry] ?? -1 };
    step.answer(entry, this.index, this.#part);
    if (this.#phase === 'results') step.anchor = this.index;
    else this.#add('result-displaced', { other: call, anchor: step.anchor, order: entry });
  }

  #resultElsewhere(id: string | undefined): void {
    if (this.#traced === undefined && id !== undefined) {
      this.missed.add(id);
      return;
    }
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call === undefined) {
      this.#unknown.push({ message: this.index, part: this.#part });
    } else if (call.answered) {
      this.#add('result-again', { other: { message: call.resultMessage, part: call.resultPart } });
    } else {
      call.answered = true;
      call.resultMessage = this.index;
      call.resultPart = this.#part;
      this.#add('result-displaced', { other: call, anchor: call.anchor, order: call.order });
    }
  }

  #newStep(): void {
    if (this.#step.count > 0 || this.#unknown.length > 0) this.#endStep();
    this.#phase = 'none';
  }

  #endStep(): void {
    const step = this.#step;
    this.#relink();
    const partial = step.open < step.count;
    if (step.open > 0 || this.#traced !== undefined) {
      for (let entry = 0; entry < step.count; entry += 1) this.#remember(entry, partial);
    }
    step.clear();
  }

  #remember(order: number, partial: boolean): void {
    const step = this.#step;
    const id = step.ids[order];
    const resultMessage = step.resultMessage[order] ?? -1;
    const traced = id !== undefined && (this.#traced === 'all' || this.#traced?.has(id) === true);
    if (resultMessage !== -1 && !traced) return;
    const call: PastCall = {
      message: step.message[order] ?? -1,
      part: step.part[order] ?? -1,
      anchor: step.anchor,
      order,
      partial,
      answered: resultMessage !== -1,
      resultMessage,
      resultPart: step.resultPart[order] ?? -1,
    };
    if (!call.answered) this.#leaveOpen(call);
    if (traced) this.#calls.set(id, call);
  }

  /** A call left behind is certain to be refused now; only a walk with an end can wait for a late result. */
  #leaveOpen(call: PastCall): void {
    this.#open.push(call);
    if (this.#traced !== 'all') return;
    const { message, part, anchor, order, partial } = call;
    this.#add('call-open', { message, part, anchor, order, partial });
  }

  /** As many strange results as open calls, right after them: the ids were lost, the order was not. */
  #relink(): void {
    const step = this.#step;
    const unknown = this.#unknown;
    if (unknown.length === 0) return;
    this.#unknown = [];
    // Where no rule would join them, a call stays open and a strange result stays strange.
    if (unknown.length !== step.open || !this.#wanted.has('result-misnamed')) {
      for (const place of unknown) this.#add('result-unknown', place);
      return;
    }
    let entry = 0;
    for (const place of unknown) {
      while (step.resultMessage[entry] !== -1) entry += 1;
      const other = { message: step.message[entry] ?? -1, part: step.part[entry] ?? -1 };
      this.#add('result-misnamed', { ...place, other, anchor: step.anchor, order: entry });
      step.answer(entry, place.message, place.part);
    }
  }

  #serverPart(kind: PartKind, id: string | undefined): void {
    const server = this.#server;
    const entry = id === undefined ? -1 : server.find(id);
    if (kind === 'call') {
      // Inside one message an open call under the same id is the same call, said twice by a stream.
      const again = entry !== -1 && server.resultMessage[entry] === -1;
      if (again && this.profile.serverPairs === 'message') return;
      if (again) this.#dropOpenCopy(entry);
      return server.add(id, this.index, this.#part);
    }
    if (entry === -1 || server.resultMessage[entry] !== -1) this.#add('server-result-unknown');
    else server.answer(entry, this.index, this.#part);
  }

  #endServerPairs(): void {
    this.#reportServer();
    this.#server.clear();
  }

  /** A provider-run call that is made again under its own id cannot be answered any more. */
  #dropOpenCopy(entry: number): void {
    const server = this.#server;
    this.#add('server-call-open', { message: server.message[entry] ?? -1, part: server.part[entry] ?? -1 });
    server.answer(entry, this.index, this.#part);
  }

  /** Provider-run calls may stay open only while nothing but results follows them. */
  #reportServer(): void {
    const server = this.#server;
    if (server.open === 0) return;
    for (let entry = 0; entry < server.count; entry += 1) {
      if (server.resultMessage[entry] !== -1) continue;
      this.#add('server-call-open', { message: server.message[entry] ?? -1, part: server.part[entry] ?? -1 });
    }
    server.clear();
  }

  fact(fact: Fact, detail?: Detail): void {
    const record: FactRecord = {
      fact,
      message: this.index,
      ...(this.#part >= 0 ? { part: this.#part } : {}),
      ...(detail === undefined ? {} : { detail }),
    };
    if (fact === 'cache-marker') this.#markers.push(record);
    else if (fact === 'image') this.#images.push(record);
    else if (this.#wanted.has(fact)) this.local.push(record);
  }

  characters(count: number): void {
    this.total += count;
  }

  #add(fact: Fact, more?: Partial<FactRecord>): void {
    if (!this.#wanted.has(fact)) return;
    const { part = this.#part, ...rest } = more ?? {};
    this.worked.push({ fact, message: this.index, ...(part >= 0 ? { part } : {}), ...rest });
  }

  /** Calls that are open now and may still be answered, as places in the order of the calls. */
  openCalls(): { message: number; part: number; order: number; anchor: number }[] {
    const step = this.#step;
    const open = [];
    for (let order = 0; order < step.count; order += 1) {
      if (step.resultMessage[order] !== -1) continue;
      open.push({ message: step.message[order] ?? -1, part: step.part[order] ?? -1, order, anchor: step.anchor });
    }
    return open;
  }

  /** Takes over what the codec told another walk over the same messages. */
  adopt(other: Walk): void {
    this.local = other.local;
    this.total = other.total;
    this.#markers = other.#markers;
    this.#images = other.#images;
  }

  /** Everything noticed so far. */
  facts(): FactRecord[] {
    return [...this.local, ...this.worked];
  }

  /** Facts that only the end of the list decides. */
  finish(): void {
    this.#endMessage();
    const lastOpen = this.#phase === 'calls' || this.#phase === 'results' ? this.#step.open : 0;
    const waitingFrom = this.#step.message[0] ?? 0;
    const reasoningMissing = this.#step.count > 0 && this.#phase === 'results' && !this.#stepOpensWithReasoning;
    this.#endStep();
    for (const call of this.#open) {
      if (call.answered) continue;
      const { message, part, anchor, order, partial } = call;
      const waiting = lastOpen > 0 && message >= waitingFrom;
      this.#add('call-open', { message, part, anchor, order, partial, waiting });
    }
    this.#overLimit(this.#markers, { limit: this.profile.maxCacheMarkers, elsewhere: this.request?.markers ?? 0 });
    this.#overLimit(this.#images, { limit: this.profile.maxImages, elsewhere: 0 });
    if (this.#next === 'user' && this.#role === 'user') this.#add('ends-with-user', { part: -1 });
    if (this.#purpose === 'request') this.#finishRequest(reasoningMissing);
  }

  #finishRequest(reasoningMissing: boolean): void {
    const request = { message: -1, part: -1 };
    const last = { message: this.index, part: -1 };
    if (this.index === -1 && this.#next === undefined) this.#add('no-messages', request);
    const paused = this.#lastServer && this.profile.serverPairs !== 'message';
    if (this.#next === undefined && this.#previous === 'assistant' && this.#role === 'assistant' && !paused) {
      this.#add('ends-with-assistant', last);
    }
    if (this.#sawTools && this.request !== undefined && this.request.tools === undefined) {
      this.#add('tools-undeclared', request);
    }
    if (reasoningMissing && this.request?.reasoningRequired === true) this.#add('reasoning-missing', request);
    if (this.index >= this.profile.maxMessages) this.#add('too-many-messages', request);
    if ((this.request?.toolCount ?? 0) > this.profile.maxTools) this.#add('too-many-tools', request);
    // A character takes at most three bytes, and more where it must be escaped; the rule counts exactly.
    if (this.total * 6 > this.profile.maxBytes) this.#add('request-too-large', request);
    if (this.total / 40 > this.profile.windowTokens) this.#add('prompt-too-long', request);
  }

  /** The oldest go first: what is near the end matters most. Those of one part make one fact that lists them. */
  #overLimit(records: readonly FactRecord[], { limit, elsewhere }: { limit: number; elsewhere: number }): void {
    const count = records.length + elsewhere;
    let detail: string[] = [];
    let previous: FactRecord | undefined;
    for (const record of records.slice(0, Math.max(0, count - Math.max(limit, elsewhere)))) {
      if (!this.#wanted.has(record.fact)) return;
      if (previous?.message !== record.message || previous.part !== record.part) {
        detail = [];
        this.worked.push({ ...record, count, detail });
      }
      detail.push(...[record.detail ?? ''].flat());
      previous = record;
    }
  }
}
