import type { Edit, Proposal } from '../model/edit.ts';
import type { Message, Part, Place } from '../model/part.ts';
import { textPart } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { TEXTS } from '../model/synthetic.ts';
import { withKeys } from '../model/value.ts';
import type { Draft } from './draft.ts';
import { rewriteMessage, withPlace } from './rewritten.ts';

/** All edits of one round that meet at one message. */
type Group = {
  readonly parts: Map<number, readonly Part[]>;
  readonly answers: { order: number; result: Part }[];
  readonly append: Part[];
  readonly before: Message[];
  /** The message in other bytes, which the edits of its parts go on from. */
  base: Message | undefined;
  whole: readonly Message[] | undefined;
  join: { readonly wire: unknown } | undefined;
  lift: boolean;
};

/**
 * Applies one round of proposals, copying only what changes. Returns those that would have made reasoning parts meet,
 * so that a text had to be put between them.
 */
export function applyProposals(draft: Draft, proposals: readonly Proposal[], profile: Profile): ReadonlySet<Proposal> {
  const groups = new Map<number, Group>();
  for (const proposal of proposals) {
    for (const edit of proposal.edits) {
      gather(draft, edit, groups);
      if (proposal.unseen !== true) noteChange(draft, edit);
    }
  }
  const parted = new Round(draft, groups, profile).run();
  // Of several that meet at one message the first tells.
  const first = ({ edits }: Proposal): boolean => edits.filter((edit) => parted.delete(messageOf(edit))).length > 0;
  return new Set(parted.size === 0 ? [] : proposals.filter(first));
}

/** The message that an edit is about; -1 for what stands around the list. */
function messageOf(edit: Edit): number {
  if (edit.kind === 'body') return -1;
  return edit.kind === 'mend' ? edit.at.message : edit.message;
}

/** Remembers where an edit changes the input: at a part of a message, or behind the message. */
function noteChange(draft: Draft, edit: Edit): void {
  const behind = Number.POSITIVE_INFINITY;
  switch (edit.kind) {
    case 'insert':
      return draft.changedAt(draft.sourceBefore(edit.message - 1), behind);
    case 'answer':
    case 'append':
    case 'join':
      return draft.changedAt(draft.sourceBefore(edit.message), behind);
    case 'body':
    case 'lift':
      // What stands around the list, or leaves it for there, is not between any two messages.
      return;
    case 'part':
      return draft.changedAt(draft.sourceBefore(edit.message), edit.part);
    case 'message':
      return draft.changedAt(draft.sourceBefore(edit.message), firstDifference(draft, edit.message, edit.messages[0]));
    case 'drop-keys':
      return draft.changedAt(draft.sourceBefore(edit.message), 0);
    case 'mend':
      return draft.changedAt(draft.sourceBefore(edit.at.message), 0);
  }
}

/** Index of the first part that is not the same in the message put in the place of another. */
function firstDifference(draft: Draft, index: number, after: Message | undefined): number {
  const before = draft.message(index);
  if (after === undefined || after.role !== before.role) return 0;
  const different = before.parts.findIndex((part, i) => part !== after.parts[i]);
  return different === -1 ? before.parts.length : different;
}

function groupAt(groups: Map<number, Group>, message: number): Group {
  let group = groups.get(message);
  if (group === undefined) {
    group = {
      parts: new Map(),
      answers: [],
      append: [],
      before: [],
      base: undefined,
      whole: undefined,
      join: undefined,
      lift: false,
    };
    groups.set(message, group);
  }
  return group;
}

function gather(draft: Draft, edit: Edit, groups: Map<number, Group>): void {
  const index = messageOf(edit);
  if (edit.kind === 'body') {
    draft.body = withKeys(draft.body, edit.fields);
    return;
  }
  const group = groupAt(groups, index);
  switch (edit.kind) {
    case 'part':
      group.parts.set(edit.part, edit.parts);
      draft.lost -= edit.elsewhere ?? 0;
      return;
    case 'message':
      group.whole = edit.messages;
      return;
    case 'insert':
      for (const message of edit.messages) group.before.push(message);
      return;
    case 'append':
      for (const part of edit.parts) group.append.push(part);
      return;
    case 'answer':
      group.answers.push({ order: edit.order, result: edit.result });
      return;
    case 'join':
      group.join = edit;
      return;
    case 'lift':
      group.lift = true;
      return;
    case 'drop-keys':
    case 'mend':
      group.base = rewriteMessage(draft, edit);
  }
}

/** One sweep over the messages of a draft. */
class Round {
  readonly #draft: Draft;
  readonly #groups: Map<number, Group>;
  readonly #profile: Profile;
  readonly #wire: unknown[] = [];
  readonly #sources: number[] = [];
  readonly #edited = new Map<number, Message>();
  readonly #fresh = new Set<number>();
  /** User messages made from tool messages wait for the end of the run of results. */
  #deferred: Message[] = [];
  /** Messages in which reasoning parts had to be kept apart. */
  readonly #parted = new Set<number>();

  constructor(draft: Draft, groups: Map<number, Group>, profile: Profile) {
    this.#draft = draft;
    this.#groups = groups;
    this.#profile = profile;
  }

  run(): Set<number> {
    const end = this.#draft.wire.length;
    const touched = new Set([...this.#groups.keys(), ...this.#draft.editedIndexes()]);
    let from = 0;
    for (const index of [...touched].sort((a, b) => a - b)) {
      this.#copy(from, Math.min(index, end));
      const group = this.#groups.get(index);
      if (group !== undefined) from = this.#place(index, group);
      // What the message before it has taken up is not carried over.
      else if (index >= from) from = this.#keep(index);
    }
    this.#copy(from, end);
    this.#flush();
    this.#draft.advance({ wire: this.#wire, sources: this.#sources, edited: this.#edited, fresh: this.#fresh });
    return this.#parted;
  }

  /** Stretches that no round has touched are carried over as they are. */
  #copy(from: number, to: number): void {
    let next = from;
    while (next < to && this.#deferred.length > 0) next = this.#keep(next);
    const [draft, wire, sources] = [this.#draft, this.#wire, this.#sources];
    for (; next < to; next += 1) {
      wire.push(draft.wire[next]);
      sources.push(draft.source(next));
    }
  }

  /** Carries a message over; returns the index to go on from. */
  #keep(index: number): number {
    this.#flushBefore(index);
    this.#carry(index);
    return index + 1;
  }

  #carry(index: number): void {
    const edited = this.#draft.edited(index);
    if (edited !== undefined) this.#edited.set(this.#wire.length, edited);
    if (this.#draft.fresh?.has(index) === true) this.#fresh.add(this.#wire.length);
    this.#sources.push(this.#draft.source(index));
    this.#wire.push(this.#draft.wire[index]);
  }

  #flushBefore(index: number): void {
    if (this.#deferred.length === 0) return;
    const runs = index < this.#draft.wire.length && this.#draft.message(index).role === 'tool';
    if (!runs) this.#flush();
  }

  #flush(): void {
    for (const message of this.#deferred) this.#emit(message);
    this.#deferred = [];
  }

  /** Emits the message at an index as its edits want it; returns the index to go on from. */
  #place(index: number, group: Group): number {
    this.#flushBefore(index);
    for (const message of group.before) {
      this.#draft.lost -= sum(message.parts);
      this.#emit(message);
    }
    if (index >= this.#draft.wire.length) return index;
    const source = this.#draft.message(index);
    if (group.lift) {
      this.#lift(index);
      return index + 1;
    }
    const [messages, next] = this.#rebuild(index, source, group);
    for (const message of messages) {
      if (source.role === 'tool' && message.role === 'user') this.#deferred.push(message);
      else if (isSame(message, source)) this.#carry(index);
      else this.#emit(message);
    }
    if (group.answers.length === 0) return next;
    return this.#answerAfter(next, source, inCallOrder(group));
  }

  #lift(index: number): void {
    const { codec, body } = this.#draft;
    const wire = this.#draft.wire[index];
    if (body !== undefined && codec.lift !== undefined) this.#draft.body = withKeys(body, codec.lift(body, wire));
    else this.#draft.lifted.push(wire);
  }

  #rebuild(index: number, source: Message, group: Group): [readonly Message[], number] {
    const { base = source } = group;
    const whole = group.whole ?? (group.base !== undefined && group.parts.size === 0 ? [base] : undefined);
    if (whole !== undefined) {
      // What is only written in other bytes stays: whether there is anything in it is judged by itself, and told.
      const left = (message: Message): readonly Part[] | undefined =>
        message.parts.length > 0 || message === group.base ? message.parts : this.#left(message, []);
      const messages = whole.flatMap((message) => {
        const parts = left(message);
        return parts === undefined ? [] : [this.#apart(index, { ...message, parts })];
      });
      this.#draft.lost += sum(source.parts) - messages.reduce((total, message) => total + sum(message.parts), 0);
      return [messages, index + 1];
    }
    const join = index + 1 < this.#draft.wire.length ? group.join : undefined;
    const joined = join === undefined ? [] : this.#draft.message(index + 1).parts;
    const before = [...base.parts, ...joined];
    let parts: readonly Part[] = [...before.flatMap((part, i) => group.parts.get(i) ?? [part]), ...group.append];
    if (source.role === 'user' && this.#profile.carrier === 'user') parts = this.#withAnswers(parts, group);
    this.#draft.lost += sum(source.parts) + sum(joined) - sum(parts);
    const next = join === undefined ? index + 1 : index + 2;
    const kept = parts.length === 0 || parts.length < before.length ? this.#left(source, parts) : parts;
    const head = join === undefined ? base : { ...source, wire: join.wire };
    // What is rewritten in its place leaves the order as it is.
    const ordered = group.base === undefined && kept !== undefined ? this.#inOrder(source, kept) : kept;
    return [ordered === undefined ? [] : [this.#apart(index, { ...head, parts: ordered })], next];
  }

  /** What stays of a message from which parts went: nothing where it says nothing any more and holds nothing aside. */
  #left(source: Message, parts: readonly Part[]): readonly Part[] | undefined {
    if (!parts.every(isUnsaid)) return parts;
    if (this.#draft.codec.holdsAside?.(source) !== true) return undefined;
    return parts.length === 0 && source.role === 'assistant' ? [textPart('', 0)] : parts;
  }

  /** An answer takes the place of its call among the others: a model reads results in the order of the calls. */
  #withAnswers(parts: readonly Part[], group: Group): readonly Part[] {
    const answers = group.answers.splice(0);
    if (!this.#profile.resultsFirst) return inPlaces(parts, answers);
    return [...inPlaces(parts.filter(isResult), answers), ...parts.filter((part) => !isResult(part))];
  }

  /** Calls last where the contract wants it. */
  #inOrder(source: Message, parts: readonly Part[]): readonly Part[] {
    if (source.role !== 'assistant' || !this.#profile.callsLast) return parts;
    const isCall = (part: Part): boolean => part.kind === 'call' && !part.server;
    return [...parts.filter((part) => !isCall(part)), ...parts.filter(isCall)];
  }

  /** The same message with no two reasoning parts side by side that were not. */
  #apart(index: number, message: Message): Message {
    const { role, parts } = message;
    const meets = (part: Part, i: number): boolean => {
      const before = parts[i - 1];
      return before?.kind === 'reasoning' && part.kind === 'reasoning' && !wereAdjacent(before, part);
    };
    if (role !== 'assistant' || !parts.some(meets)) return message;
    this.#parted.add(index);
    return {
      ...message,
      parts: parts.flatMap((part, i) => (meets(part, i) ? [textPart(TEXTS.separator, 0), part] : [part])),
    };
  }

  /** Results for a step that has no message of results yet; returns the index to go on from. */
  #answerAfter(next: number, source: Message, answers: readonly Part[]): number {
    this.#draft.lost -= sum(answers);
    if (this.#profile.carrier === 'tool') {
      for (const result of answers) this.#emit({ role: 'tool', parts: [result], at: commonSource([result]) });
      return next;
    }
    const following = next < this.#draft.wire.length ? this.#draft.message(next) : undefined;
    const own = this.#groups.get(next);
    const taken = own !== undefined && ((own.whole ?? own.base) !== undefined || own.lift);
    if (source.role === 'user' || following?.role !== 'user' || taken) {
      this.#emit({ role: 'user', parts: answers, at: commonSource(answers) });
      return next;
    }
    if (own === undefined) {
      this.#emit({ ...following, parts: [...answers, ...following.parts] });
      return next + 1;
    }
    // The next message has edits of its own; it takes the answers up with them, and accounts for them.
    this.#draft.lost += sum(answers);
    for (const [order, result] of answers.entries()) own.answers.push({ order: order - answers.length, result });
    return next;
  }

  #emit(message: Message): void {
    const index = this.#wire.length;
    const wire = this.#draft.codec.write(message, this.#draft.wire, this.#draft.memory);
    const reread = this.#draft.codec.read(wire, message.at);
    this.#edited.set(index, { ...reread, parts: reread.parts.map((part, i) => withPlace(part, message.parts[i])) });
    this.#fresh.add(index);
    this.#sources.push(message.at);
    this.#wire.push(wire);
  }
}

/** True when edits beside a message have left the message itself alone. */
function isSame(message: Message, source: Message): boolean {
  if (message.wire !== source.wire || message.role !== source.role) return false;
  return message.parts.length === source.parts.length && message.parts.every((part, i) => part === source.parts[i]);
}

function isResult(part: Part): boolean {
  return part.kind === 'result' && !part.server;
}

/** An empty text that is no part of its own: the message has a field for its words, and nothing in it. */
function isUnsaid(part: Part): boolean {
  return part.kind === 'text' && part.text === '' && part.wire === undefined;
}

/** The message of the input that all parts come from; -1 if there is none. */
function commonSource(parts: readonly Part[]): number {
  const source = parts[0]?.at?.message ?? -1;
  return parts.every((part) => part.at?.message === source) ? source : -1;
}

const NOWHERE: Place = { message: -1 };

function inCallOrder(group: Group): Part[] {
  return [...group.answers].sort((a, b) => a.order - b.order).map((answer) => answer.result);
}

/** Results with answers between them: each behind as many as there are calls before its own. */
function inPlaces(parts: readonly Part[], answers: Group['answers']): readonly Part[] {
  const waiting = answers.sort((a, b) => a.order - b.order);
  const end = parts.findLastIndex(isResult) + 1;
  const merged: Part[] = [];
  let [told, placed] = [0, 0];
  for (const part of parts.slice(0, end)) {
    if (isResult(part)) {
      for (let next = waiting[placed]; next !== undefined && next.order <= told; next = waiting[placed]) {
        merged.push(next.result);
        placed += 1;
        told += 1;
      }
      told += 1;
    }
    merged.push(part);
  }
  return [...merged, ...waiting.slice(placed).map(({ result }) => result), ...parts.slice(end)];
}

function wereAdjacent(before: Part, after: Part): boolean {
  const { at: { message, part = Number.NaN } = NOWHERE } = before;
  return after.at?.message === message && after.at.part === part + 1;
}

function sum(parts: readonly Part[]): number {
  let total = 0;
  for (const part of parts) total += part.characters;
  return total;
}
