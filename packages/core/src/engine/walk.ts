import type { ItemKind, RequestFacts, Sink } from '../model/codec.ts';
import { newFact, type Detail, type Fact, type FactRecord } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import { type Profile, UNRESTRICTED } from '../model/profile.ts';
import { ScanMemory } from '../model/scan-memory.ts';
import { FreePairs } from '../pairs/free-pairs.ts';
import { Doubt } from '../pairs/pair-log.ts';
import type { Pairs } from '../pairs/pairs.ts';
import { ServerPairs } from '../pairs/server-pairs.ts';
import { StepPairs } from '../pairs/step-pairs.ts';
import { FactLog } from './fact-log.ts';
import { ItemOrder, Placement, type Speaker } from './order.ts';
import type { RulesOf } from './target.ts';

type WalkOptions = {
  readonly profile: Profile;
  readonly request: RequestFacts | undefined;
  readonly purpose: 'history' | 'request';
  /** A user message will follow the list. */
  readonly next: 'user' | undefined;
  readonly rules: RulesOf;
  /** More messages will come. */
  readonly endless: boolean;
  /** Keep what is needed to look for a result anywhere in the list. */
  readonly ledger?: boolean;
};

export type Counted = { readonly markers: number; readonly images: number };

/** Pairs calls with results and orders messages in one pass over what a codec reads. */
export class Walk implements Sink {
  /**
   * Walks over nothing. While some walk lives, V8 keeps the code compiled for walks through a full collection; without
   * them the next check takes 0.10 of the time of `JSON.parse` longer.
   */
  static readonly living: readonly Walk[] = (['step', 'anywhere'] as const).map((pairs) => {
    const profile = { ...UNRESTRICTED, pairs };
    return new Walk({
      profile,
      request: undefined,
      purpose: 'history',
      next: undefined,
      rules: () => [],
      endless: false,
    });
  });
  deep = true;
  /** Characters of content. */
  total = 0;
  /** The last message with reasoning in it. */
  lastReasoning = -1;
  /** What the codec noticed. */
  readonly local: FactRecord[] = [];
  readonly memory: ScanMemory = new ScanMemory();
  readonly profile: Profile;
  readonly request: RequestFacts | undefined;
  private readonly options: WalkOptions;
  private readonly log: FactLog;
  private readonly calls: Pairs;
  /** Hears whether pairs are matched step by step where a provider would look for a result anywhere. */
  private readonly doubt: Doubt | undefined;
  /** Undefined until the provider runs a tool itself, which it does in few histories. */
  private server: ServerPairs | undefined = undefined;
  private readonly placement: Placement;
  private items: ItemOrder | undefined = undefined;
  private role: Speaker = 'nobody';
  private sawTools = false;
  private turnStarted = false;
  private turnOpensWithReasoning = false;
  private readonly markers: FactRecord[] = [];
  private readonly images: FactRecord[] = [];
  /** Calls since the user last spoke that open a step and lack the signature of the provider. */
  private unsigned: FactRecord[] = [];
  private calledInTurn = false;

  constructor(options: WalkOptions) {
    const { profile, request, endless, ledger } = options;
    this.profile = profile;
    this.request = request;
    this.options = options;
    this.log = new FactLog(options.rules);
    this.doubt = profile.pairs === 'anywhere' && !endless && ledger !== true ? new Doubt(this.log) : undefined;
    this.calls =
      profile.pairs === 'anywhere' && this.doubt === undefined
        ? new FreePairs(this.log, profile, { endless, chained: request?.chained === true })
        : new StepPairs(this.doubt ?? this.log, profile, endless);
    this.placement = new Placement(this.log);
  }

  /** Only a ledger can tell what belongs together. */
  get unsure(): boolean {
    return this.doubt?.raised === true;
  }

  /** What is counted over the whole list, as far as it was read in depth. */
  get counted(): Counted {
    return { markers: this.markers.length, images: this.images.length };
  }

  /** Together with those that were counted before, there may be more than the provider takes. */
  mayExceed({ markers, images }: Counted): boolean {
    const [newMarkers, newImages] = [this.markers.length, this.images.length];
    const { maxCacheMarkers, maxImages } = this.profile;
    if (newMarkers > 0 && newMarkers + markers + (this.request?.markers ?? 0) > maxCacheMarkers) return true;
    return newImages > 0 && newImages + images > maxImages;
  }

  /** Goes on with this message, whatever stands before it. */
  skipTo(message: number): void {
    this.log.message = message - 1;
  }

  message(role: Role): void {
    const { log, placement } = this;
    if (this.role === 'system') placement.systemEnds();
    this.server?.messageEnds();
    log.message += 1;
    log.part = -1;
    this.role = role;
    const continues = placement.previous === 'assistant';
    if (role === 'assistant' && !continues) {
      // Results alone do not end the turn of a provider that answers its own calls in a later message.
      if (placement.previous !== 'tool' || this.profile.serverPairs !== 'exchange') this.server?.close();
      this.turnStarted = true;
      this.turnOpensWithReasoning = false;
      this.calledInTurn = false;
    }
    this.calls.message(role, continues);
    // Most messages are results among others, of which there is nothing to say.
    if (role !== 'tool' || placement.previous !== 'tool' || placement.systemRun.length > 0) placement.message(role);
  }

  part(kind: PartKind, id: string | undefined, server: boolean): void {
    this.log.part += 1;
    const role = this.role;
    const call = kind === 'call';
    if (server || !(call || kind === 'result')) {
      if (role === 'assistant') this.assistantContent(kind, id, server);
      else this.otherContent(kind, role);
      return;
    }
    this.sawTools = true;
    if (role !== 'assistant') {
      if (!call && role !== 'system') this.calls.result(id);
      return;
    }
    this.placement.serverEnd = undefined;
    this.turnStarted = false;
    if (!call) return;
    this.calledInTurn = true;
    this.calls.call(id);
  }

  private otherContent(kind: PartKind, role: Speaker): void {
    if (kind === 'reasoning') this.lastReasoning = this.log.message;
    if (role === 'user') {
      this.calls.userContent(kind);
      if (this.unsigned.length > 0) this.unsigned = [];
    }
    // What stands among results, such as a decision to let a call run, ends no turn.
    if (role !== 'tool') this.server?.close();
  }

  private assistantContent(kind: PartKind, id: string | undefined, server: boolean): void {
    this.placement.serverEnd = server ? kind : undefined;
    if (kind === 'reasoning') {
      this.lastReasoning = this.log.message;
      if (this.turnStarted) this.turnOpensWithReasoning = true;
    }
    this.turnStarted = false;
    if (server) {
      this.server ??= new ServerPairs(this.log, this.profile.serverPairs === 'message' ? 'message' : 'turn');
      this.server.part(kind, id);
    }
    this.calls.assistantContent();
  }

  item(id: string | undefined, kind: ItemKind, program?: string): void {
    this.items ??= new ItemOrder(this.log, { chained: this.request?.chained === true });
    // Most items are what somebody else made where nothing was thought, and change nothing.
    if (id === undefined && kind === 'other' && this.items.idle) return;
    this.items.item(id, kind, program);
  }

  fact(fact: Fact, detail?: Detail): void {
    if (fact === 'placeholder') return this.calls.placeholder(String(detail));
    if (fact === 'tool-family') return this.calls.startFamily(String(detail));
    if (fact === 'call-unsigned' && !this.calls.opensStep) return;
    const { message, part } = this.log;
    const record = newFact(fact, message, part);
    record.detail = detail;
    if (fact === 'call-id-malformed') {
      if (this.role === 'assistant') this.calls.renameLast(this.profile);
      // A result may be told of because of its call as well as by itself.
      else if (this.log.tellsHere(fact)) return;
    }
    if (fact === 'cache-marker') this.markers.push(record);
    else if (fact === 'image') this.images.push(record);
    else if (fact === 'call-unsigned' && !this.options.endless) this.unsigned.push(record);
    else if (this.log.wants(fact)) this.local.push(record);
  }

  /** Calls that are open now and may still be answered. */
  openCalls(): { message: number; part: number }[] {
    return this.calls.openCalls();
  }

  /** Judges the message read last without waiting for the next one. */
  judgeNow(): void {
    this.calls.judgeNow();
    if (this.role !== 'system') return;
    this.placement.systemEnds();
    // Told now, and not again when the next message begins.
    this.role = 'nobody';
  }

  /** Everything noticed since this was last asked. */
  takeFacts(): FactRecord[] {
    if (this.local.length === 0 && this.log.records.length === 0) return [];
    return [...this.local.splice(0), ...this.log.records.splice(0)];
  }

  /** Facts that only the end of the list decides. */
  finish(): void {
    const { role } = this;
    if (this.options.next === 'user' && this.log.message >= 0) this.expectUser();
    else if (role === 'system') this.placement.systemEnds();
    const reasoningMissing = this.calls.continuing && !this.turnOpensWithReasoning;
    this.calls.finish();
    this.items?.finish();
    // An answer without a call ends the turn, and the next request begins another.
    if (this.role !== 'assistant' || this.calledInTurn) for (const each of this.unsigned) this.local.push(each);
    if (this.request !== undefined || this.markers.length > 0 || this.images.length > 0) this.judgeCounted();
    if (this.options.next === 'user' && role === 'user') this.log.add('ends-with-user', this.log.message, -1);
    if (this.options.purpose === 'request') this.finishRequest(reasoningMissing);
  }

  private judgeCounted(): void {
    const elsewhere = this.request?.markers ?? 0;
    const { maxCacheMarkers, maxImages } = this.profile;
    if (this.markers.length + elsewhere > maxCacheMarkers)
      this.overLimit(this.markers, { limit: maxCacheMarkers, elsewhere });
    if (this.images.length > maxImages) this.overLimit(this.images, { limit: maxImages, elsewhere: 0 });
  }

  /** Goes on as if the user had spoken; of that message itself it only matters whether it may follow a tool. */
  private expectUser(): void {
    const { log } = this;
    const [end, known] = [log.message, log.records.length];
    this.message('user');
    this.part('text', undefined, false);
    this.items?.item(undefined, 'other');
    log.message = end;
    log.part = -1;
    for (const record of log.records.splice(known)) {
      if (record.message <= end || record.fact === 'user-after-tool') log.records.push(record);
    }
  }

  private finishRequest(reasoningMissing: boolean): void {
    const log = this.log;
    for (const { fact, detail } of this.request?.faults ?? []) log.add(fact, -1, -1).detail = detail;
    if (this.options.next === undefined) {
      if (log.message === -1) log.add('no-messages', -1, -1);
      const paused = this.profile.pausedTurn && this.placement.serverEnd !== undefined;
      if (this.role === 'assistant' && !paused) log.add('ends-with-assistant', log.message, -1);
      if (this.role === 'system') log.add('ends-with-system', log.message, -1);
    }
    if (this.sawTools && this.request !== undefined && this.request.tools === undefined)
      log.add('tools-undeclared', -1, -1);
    if (reasoningMissing && this.request?.reasoningRequired === true) log.add('reasoning-missing', -1, -1);
    if (log.message >= this.profile.maxMessages) log.add('too-many-messages', -1, -1);
    if ((this.request?.toolCount ?? 0) > this.profile.maxTools) log.add('too-many-tools', -1, -1);
    // A character takes at most three bytes, and six where it must be escaped; the rule counts exactly.
    if (this.total * 6 > this.profile.maxBytes) log.add('request-too-large', -1, -1);
    if (this.total / 40 > this.profile.windowTokens) log.add('prompt-too-long', -1, -1);
  }

  /** The oldest go first: what is near the end matters most. Those of one part make one fact that lists them. */
  private overLimit(records: readonly FactRecord[], { limit, elsewhere }: { limit: number; elsewhere: number }): void {
    const count = records.length + elsewhere;
    if (elsewhere > limit) this.log.add('cache-marker', -1, -1).count = count;
    let detail: string[] = [];
    let previous: FactRecord | undefined;
    for (const record of records.slice(0, Math.max(0, count - Math.max(limit, elsewhere)))) {
      if (previous?.message !== record.message || previous.part !== record.part) {
        detail = [];
        this.log.records.push({ ...record, count, detail });
      }
      for (const each of [record.detail ?? ''].flat()) detail.push(each);
      previous = record;
    }
  }
}
