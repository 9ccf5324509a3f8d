import type { RequestFacts } from '../model/codec.ts';
import type { Proposal } from '../model/edit.ts';
import type { FactRecord } from '../model/fact.ts';
import { isNameId } from '../model/call-id.ts';
import { pairKey, type CallPart, type Message, type Part } from '../model/part.ts';
import type { Policy } from '../model/policy.ts';
import type { PrefixDigests } from '../model/prefix-digest.ts';
import type { Profile } from '../model/profile.ts';
import type { CalledBefore, Case } from '../model/rule.ts';
import type { Evidence } from '../model/synthetic.ts';
import { readSafely, salvageEntries } from '../model/read-safely.ts';
import type { Draft } from './draft.ts';
import { requestFacts, type Target } from './target.ts';

function placeKey(message: number, part: number): string {
  return `${String(message)}.${String(part)}`;
}

export type Choices = {
  readonly policy: Policy;
  readonly evidence: Evidence | undefined;
  readonly prefixDigests?: PrefixDigests | undefined;
};

/** Where a result stands, and the id of the call that it names. */
type ResultPlace = { readonly message: number; readonly part: number; readonly callId: string };

type Seen = { readonly fact: FactRecord; readonly choices: Choices; readonly own?: Message };

/** What one rule sees of a draft. */
export class DraftCase implements Case {
  readonly fact: FactRecord;
  private readonly draft: Draft;
  private readonly target: Target;
  private readonly choices: Choices;
  /** The message of the fact as edits of this round leave it; undefined while none has touched the part in question. */
  private readonly own: Message | undefined;

  constructor(draft: Draft, target: Target, { fact, choices, own }: Seen) {
    this.fact = fact;
    this.draft = draft;
    this.target = target;
    this.choices = choices;
    this.own = own;
  }

  /** The same rule before a part that was rewritten since. */
  after(fact: FactRecord, own: Message): DraftCase {
    return new DraftCase(this.draft, this.target, { fact, choices: this.choices, own });
  }

  get profile(): Profile {
    return this.target.profile;
  }

  get policy(): Policy {
    return this.choices.policy;
  }

  get evidence(): Evidence | undefined {
    return this.choices.evidence;
  }

  get body(): Readonly<Record<string, unknown>> | undefined {
    return this.draft.body;
  }

  get purpose(): 'history' | 'request' {
    return this.target.purpose;
  }

  get request(): RequestFacts | undefined {
    return this.note('request', () => requestFacts(this.target, this.draft.body));
  }

  get list(): readonly unknown[] {
    return this.draft.wire;
  }

  get count(): number {
    return this.draft.wire.length;
  }

  isLast(index: number): boolean {
    return index === this.count - 1 && this.target.next === undefined;
  }

  message(index: number): Message {
    return this.own !== undefined && index === this.fact.message ? this.own : this.draft.message(index);
  }

  salvage(index: number): readonly Message[] {
    // A message of many unreadable pieces has a fact for each of them, and is read once for all.
    return this.note(`salvage ${String(index)}`, () =>
      salvageEntries(this.draft.codec, this.draft.wire[index], this.draft.source(index)),
    );
  }

  part(): Part | undefined {
    const { message, part } = this.fact;
    return part === undefined ? undefined : this.message(message).parts[part];
  }

  callsNear(index: number): ReadonlyMap<string, number> {
    const first = this.runEdge(index, -1);
    return this.note(`calls ${String(first)}`, () => this.countCalls(first, this.count, () => true));
  }

  callsOfStep(index: number): ReadonlyMap<string, number> {
    const { first, end } = this.stepAt(index);
    return this.note(`step ${String(first)}`, () => this.countCalls(first, end, (call) => !call.server));
  }

  stepAt(index: number): { readonly first: number; readonly end: number } {
    const steps = this.note('steps', () => new Map<number, { first: number; end: number }>());
    const known = steps.get(index);
    if (known !== undefined) return known;
    let first = index;
    while (this.isAssistant(first - 1) && !this.opensStep(first)) first -= 1;
    let end = first + 1;
    while (this.isAssistant(end) && !this.opensStep(end)) end += 1;
    const step = { first, end };
    for (let i = first; i < end; i += 1) steps.set(i, step);
    return step;
  }

  /** The step before it is over with this message of the assistant; that has to agree with how a walk pairs calls. */
  private opensStep(index: number): boolean {
    const { step, callsLast } = this.profile;
    if (step === 'message') return true;
    const [part] = this.draft.message(index).parts;
    return callsLast && part !== undefined && (part.kind !== 'call' || part.server);
  }

  private countCalls(first: number, end: number, counts: (call: CallPart) => boolean): ReadonlyMap<string, number> {
    const calls = new Map<string, number>();
    const inFamily = new Map<string, number>();
    for (let i = first; i < end && this.isAssistant(i); i += 1) {
      for (const part of this.draft.message(i).parts) {
        if (part.kind !== 'call' || !counts(part)) continue;
        const key = pairKey(part);
        const copies = (inFamily.get(key) ?? 0) + 1;
        inFamily.set(key, copies);
        calls.set(part.callId, Math.max(copies, calls.get(part.callId) ?? 0));
      }
    }
    return calls;
  }

  resultsAfter(index: number): ReadonlyMap<string, readonly ResultPlace[]> {
    const first = this.isAssistant(index) ? this.runEdge(index, 1) + 1 : this.answersFrom(index);
    return this.note(`results ${String(first)}`, () => {
      const results = new Map<string, ResultPlace[]>();
      for (let i = first; i < this.count && !this.isAssistant(i); i += 1) this.collectResults(i, results);
      return results;
    });
  }

  joinsByPosition(index: number): boolean {
    const { first } = this.stepAt(index);
    return this.note(`joins ${String(first)}`, () => {
      const { calls, results } = this.uses();
      const ids = [...this.resultsAfter(index).values()].flatMap((places) => places.map(({ callId }) => callId));
      const answered = new Set(ids);
      const step = this.callsOfStep(index);
      const known = ids.some((id) => id !== '' && !isNameId(id) && !step.has(id) && calls.has(id));
      // Where results are counted, one that repeats an id was counted too, and is no stranger.
      const repeated = this.profile.countedResults === true && ids.length > answered.size;
      const open = [...step.keys()].filter((id) => !answered.has(id));
      // Of several calls under one id, some may have no result.
      return (
        !known && !repeated && open.every((id) => id === '' || (results.get(id) ?? 0) < Math.max(1, calls.get(id) ?? 0))
      );
    });
  }

  /** How many calls and results of the caller's own tools have an id in the input, whatever edits have made of them. */
  private uses(): { readonly calls: Map<string, number>; readonly results: Map<string, number> } {
    return this.note('uses', () => {
      const calls = new Map<string, number>();
      const results = new Map<string, number>();
      for (const [index, wire] of this.draft.given.entries()) {
        for (const part of readSafely(this.draft.codec, wire, index).parts) {
          if ((part.kind !== 'call' && part.kind !== 'result') || part.server) continue;
          const uses = part.kind === 'call' ? calls : results;
          uses.set(part.callId, (uses.get(part.callId) ?? 0) + 1);
        }
      }
      return { calls, results };
    });
  }

  /** A run of results may be as long as the history, so it is gone through once for all of them. */
  answeredBy(index: number): number {
    const known = this.note('answered', () => new Map<number, number>());
    let last = index;
    while (last >= 0 && !known.has(last) && this.draft.message(last).role === 'tool') last -= 1;
    const step = known.get(last) ?? last;
    known.set(index, step);
    return step;
  }

  calledBefore(index: number): CalledBefore {
    const first = this.answersFrom(index);
    return this.note(`called before ${String(first)}`, () => {
      const tools = new Map<string, string>();
      const order: string[] = [];
      for (let i = this.isAssistant(first - 1) ? this.runEdge(first - 1, -1) : first; i < first; i += 1) {
        for (const part of this.draft.message(i).parts) {
          if (part.kind !== 'call' || part.server) continue;
          order.push(part.tool);
          if (part.tool !== '') tools.set(part.callId, part.tool);
        }
      }
      const inOrder = this.answersFor(order, first);
      return { tools, toolOf: ({ message, part }) => inOrder.get(placeKey(message, part)) };
    });
  }

  /** The first message behind the last of the assistant before this one; each is asked only once. */
  private answersFrom(index: number): number {
    const known = this.note('answers from', () => new Map<number, number>());
    let first = index;
    while (first > 0 && !known.has(first) && !this.isAssistant(first - 1)) first -= 1;
    const start = known.get(first) ?? first;
    known.set(index, start);
    return start;
  }

  /** By place: the tool of the call in whose place a result stands, of a run that begins with this message. */
  private answersFor(order: readonly string[], first: number): ReadonlyMap<string, string | undefined> {
    const tools = new Map<string, string | undefined>();
    for (let i = first; i < this.count && !this.isAssistant(i); i += 1) {
      this.draft.message(i).parts.forEach((part, at) => {
        if (part.kind === 'result' && !part.server) tools.set(placeKey(i, at), order[tools.size]);
      });
    }
    return tools;
  }

  newId(): string | undefined {
    const { message, part = -1 } = this.fact;
    const given = this.newIds().get(placeKey(message, part));
    const call = this.draft.message(message).parts[part];
    if (given !== undefined || call?.kind !== 'call') return given;
    const taken = this.takenIds(message).get(call.callId) ?? 0;
    return this.callsOfStep(message).get(call.callId) === taken + 1 ? call.callId : undefined;
  }

  /** Remembers what an edit of this round renames. */
  rename({ message, part, from, callId }: NonNullable<Proposal['renamed']>): void {
    this.newIds().set(placeKey(message, part), callId);
    const taken = this.takenIds(message);
    taken.set(from, (taken.get(from) ?? 0) + 1);
  }

  /** How many calls of a step this round takes an id from, by the id. */
  private takenIds(message: number): Map<string, number> {
    const bySteps = this.note('taken ids', () => new Map<ReadonlyMap<string, number>, Map<string, number>>());
    const step = this.callsOfStep(message);
    const taken = bySteps.get(step) ?? new Map<string, number>();
    bySteps.set(step, taken);
    return taken;
  }

  private newIds(): Map<string, string> {
    return this.note('new ids', () => new Map<string, string>());
  }

  /** Facts come in the order of the list, so the stretch known to be quiet is gone on from and not begun again. */
  userSpeaks(from: number, to: number): boolean {
    const quiet = this.note('quiet', () => ({ from, to: from }));
    if (from < quiet.from || from > quiet.to) {
      quiet.from = from;
      quiet.to = from;
    }
    while (quiet.to < to && this.draft.message(quiet.to).role !== 'user') quiet.to += 1;
    return quiet.to < to;
  }

  private collectResults(message: number, results: Map<string, ResultPlace[]>): void {
    this.draft.message(message).parts.forEach((part, index) => {
      if (part.kind !== 'result' || part.server) return;
      const key = pairKey(part);
      const place = { message, part: index, callId: part.callId };
      const places = results.get(key);
      if (places === undefined) results.set(key, [place]);
      else places.push(place);
    });
  }

  private isAssistant(index: number): boolean {
    return index >= 0 && index < this.count && this.draft.message(index).role === 'assistant';
  }

  /**
   * The first or the last message of the assistant in the run that this one belongs to. A run may be as long as the
   * history, so every message of it is asked only once.
   */
  private runEdge(index: number, way: 1 | -1): number {
    const known = this.note(`edges ${String(way)}`, () => new Map<number, number>());
    let last = index;
    while (this.isAssistant(last + way) && !known.has(last)) last += way;
    const edge = known.get(last) ?? last;
    for (let i = index; i !== last + way; i += way) known.set(i, edge);
    return edge;
  }

  note<T>(name: string, work: () => T): T {
    const known = this.draft.notes.get(name) as T | undefined;
    if (known !== undefined) return known;
    const made = work();
    this.draft.notes.set(name, made);
    return made;
  }
}
