import type { RequestFacts, Sink } from '../model/codec.ts';
import type { Edit, PartEdit, Proposal } from '../model/edit.ts';
import type { Detail, Fact } from '../model/fact.ts';
import type { Message, Part, Place } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { ScanMemory } from '../model/scan-memory.ts';
import { mend, withKeys } from '../model/value.ts';
import type { Woken } from './diagnose.ts';
import type { Draft } from './draft.ts';
import { requestFacts, type Target } from './target.ts';

/** A rule that was woken, and what it proposes. */
export type Answered = { readonly woken: Woken; readonly proposal: Proposal };

/** A part as the next walk would read it, and what the codec notices about it. */
type Again = { readonly part: Part; readonly noticed: ReadonlyMap<Fact, Detail | undefined> };

/** A message that a round has rewritten, or parts of it. */
type Entry = {
  readonly message: Message;
  /** Those of the message, as far as they were read again. */
  readonly parts: Part[];
  /** Parts for which a rule waits that does more than to rewrite them. */
  readonly waiting: Set<number>;
  /** What the codec notices about each part of a message that was rewritten as a whole. */
  readonly noticed: readonly Again['noticed'][];
};

/**
 * What a round has rewritten in its place. A rule that answers to something else there goes on from what the rules
 * before it have made of it, so that a call with many defects takes no more rounds than a call with one.
 */
export class Rewritten {
  readonly #draft: Draft;
  readonly #target: Target;
  readonly #whole = new Map<number, Rewriting>();
  /** By message and part: what stands in its place; undefined where that is not one part of its kind. */
  readonly #made = new Map<number, Map<number, Part | undefined>>();
  /** Only of messages that are asked for, which few are. */
  readonly #entries = new Map<number, Entry>();
  #request: { readonly facts: RequestFacts | undefined } | undefined = undefined;

  constructor(draft: Draft, target: Target) {
    this.#draft = draft;
    this.#target = target;
  }

  /** Remembers what a proposal rewrites. */
  note({ edits }: Proposal): void {
    for (const edit of edits) {
      if (edit.kind === 'part') this.#noteMade(edit);
      if (edit.kind === 'mend') this.#whole.set(edit.at.message, edit);
      if (edit.kind === 'drop-keys') this.#whole.set(edit.message, edit);
    }
  }

  #noteMade(edit: PartEdit): void {
    const made = this.#made.get(edit.message) ?? new Map<number, Part | undefined>();
    made.set(edit.part, this.#inPlace(edit));
    this.#made.set(edit.message, made);
  }

  /**
   * What a rule proposes for a part that the rules before it have rewritten, where all it does is to rewrite it too;
   * undefined where it has no reason to any more.
   */
  goOn({ rule, found }: Woken): Answered | undefined {
    const { fact, message, part = -1, count } = found.fact;
    // What is counted over the whole list cannot be told from one part of it.
    const again = count === undefined ? this.#readAgain(message, part) : undefined;
    if (again === undefined) return undefined;
    const kept = idOf(again.part) === idOf(this.#draft.message(message).parts[part]);
    if (!again.noticed.has(fact) && !(kept && OF_PAIRS.has(fact))) return undefined;
    // By its new id the call of a result is not found before the next round.
    if (!kept && again.part.kind === 'result') return undefined;
    const { message: own, parts, waiting } = this.#entryAt(message);
    // A rule waits for those before it, but for what gives both ends of a pair an id, which is done in one round.
    if (waiting.has(part) && !OF_PAIRS.has(fact)) return undefined;
    parts[part] = again.part;
    const detail = again.noticed.get(fact) ?? found.fact.detail;
    const woken = { rule, found: found.after({ ...found.fact, detail }, own) };
    if (rule.detect?.(woken.found) === false) return undefined;
    const proposal = rule.repair?.(woken.found);
    // That id is made from the one that both ends still have.
    const goesOn = (edit: Edit): boolean =>
      isAt(edit, found.fact) && this.#inPlace(edit) !== undefined && (kept || idOf(edit.parts[0]) === idOf(again.part));
    if (proposal?.edits.every(goesOn) === true) return { woken, proposal };
    waiting.add(part);
    return undefined;
  }

  #entryAt(index: number): Entry {
    let entry = this.#entries.get(index);
    if (entry === undefined) {
      const whole = this.#rewritten(index);
      const message = whole ?? this.#draft.message(index);
      const parts = [...message.parts];
      const noticed = whole === undefined ? [] : this.#scan(whole.wire);
      entry = { message: { ...message, parts }, parts, waiting: new Set(), noticed };
      this.#entries.set(index, entry);
    }
    return entry;
  }

  /** The message after an edit of the whole of it, where its parts are still of the same kinds. */
  #rewritten(index: number): Message | undefined {
    const edit = this.#whole.get(index);
    if (edit === undefined) return undefined;
    const made = rewriteMessage(this.#draft, edit);
    const { role, parts } = this.#draft.message(index);
    const same = role === made.role && parts.length === made.parts.length;
    return same && parts.every(({ kind }, i) => kind === made.parts[i]?.kind) ? made : undefined;
  }

  /** The one part that an edit puts in the place of another of its kind. */
  #inPlace({ message, part, parts }: PartEdit): Part | undefined {
    const [only, ...more] = parts;
    return more.length === 0 && only?.kind === this.#draft.message(message).parts[part]?.kind ? only : undefined;
  }

  #readAgain(message: number, part: number): Again | undefined {
    const made = this.#made.get(message);
    if (made?.has(part) === true) {
      const own = made.get(part);
      return own === undefined ? undefined : this.#alone(message, own);
    }
    if (!this.#whole.has(message)) return undefined;
    const { parts, noticed } = this.#entryAt(message);
    const [own, facts] = [parts[part], noticed[part]];
    return own === undefined || facts === undefined ? undefined : { part: own, noticed: facts };
  }

  /** Writes a part as the only one of its message, and reads it again. */
  #alone(message: number, part: Part): Again | undefined {
    const { codec, wire: list, memory } = this.#draft;
    const { role, at } = this.#draft.message(message);
    const wire = codec.write({ role, parts: [part], at }, list, memory);
    const [made, ...more] = codec.read(wire, at).parts;
    const [noticed] = this.#scan(wire);
    if (made?.kind !== part.kind || more.length > 0 || noticed === undefined) return undefined;
    return { part: withPlace(made, part), noticed };
  }

  #scan(wire: unknown): PartSink['parts'] {
    this.#request ??= { facts: requestFacts(this.#target, this.#draft.body) };
    const sink = new PartSink(this.#target.profile, this.#request.facts);
    this.#draft.codec.scan(wire, sink);
    return sink.parts;
  }
}

function isAt(edit: Edit, { message, part }: Place): edit is PartEdit {
  return edit.kind === 'part' && edit.message === message && edit.part === part;
}

/** What a walk has found out about pairs holds on as long as a part keeps its id. */
const OF_PAIRS: ReadonlySet<Fact> = new Set<Fact>(['call-id-malformed', 'call-id-again']);

function idOf(part: Part | undefined): string | undefined {
  return part?.kind === 'call' || part?.kind === 'result' ? part.callId : undefined;
}

/** Collects what a codec notices about the parts of one message. */
class PartSink implements Sink {
  readonly deep = true;
  readonly memory = new ScanMemory();
  readonly profile: Profile;
  readonly request: RequestFacts | undefined;
  readonly parts: Map<Fact, Detail | undefined>[] = [];
  total = 0;

  constructor(profile: Profile, request: RequestFacts | undefined) {
    this.profile = profile;
    this.request = request;
  }

  message(): void {
    // One message is read.
  }

  part(): void {
    this.parts.push(new Map());
  }

  fact(fact: Fact, detail?: Detail): void {
    this.parts.at(-1)?.set(fact, detail);
  }
}

/** An edit that puts a message into other bytes as a whole. */
export type Rewriting = Extract<Edit, { kind: 'mend' | 'drop-keys' }>;

/** A message of the draft after such an edit. */
export function rewriteMessage(draft: Draft, edit: Rewriting): Message {
  const place: Place = edit.kind === 'mend' ? edit.at : edit;
  const wire = draft.wire[place.message];
  if (edit.kind === 'mend') return reread(draft, place, mended(draft, wire));
  const gone = Object.fromEntries(edit.keys.map((key) => [key, undefined]));
  return reread(draft, place, withKeys(wire, gone));
}

/** The message in a form that can be sent: of its own class where its codec can keep that, and else an inert copy. */
function mended({ codec }: Draft, wire: unknown): unknown {
  try {
    return codec.mend?.(wire) ?? mend(wire);
  } catch {
    return mend(wire);
  }
}

/** A message of the draft in other bytes; its parts keep their places where these are known. */
function reread(draft: Draft, { message, part }: Place, wire: unknown): Message {
  const after = draft.codec.read(wire, draft.source(message));
  const known = draft.edited(message)?.parts ?? (part === undefined ? [] : draft.message(message).parts);
  return { ...after, parts: after.parts.map((each, i) => withPlace(each, known[i])) };
}

/** The same part with the place and the weight it had in the input. */
export function withPlace(part: Part, before: Part | undefined): Part {
  if (before === undefined) return part;
  const { at, characters } = before;
  if (at !== undefined) return { ...part, at, characters };
  const { at: _at, ...rest } = part;
  return { ...rest, characters };
}
