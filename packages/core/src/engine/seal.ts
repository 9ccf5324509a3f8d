import { dropPart, type Proposal } from '../model/edit.ts';
import { newFact, type FactRecord } from '../model/fact.ts';
import type { Repair } from '../model/finding.ts';
import type { Message } from '../model/part.ts';
import { EMPTY_PREFIX, extendDigest, type PrefixDigests } from '../model/prefix-digest.ts';
import { applyProposals } from './apply.ts';
import type { Choices } from './case.ts';
import { wake } from './diagnose.ts';
import type { Draft } from './draft.ts';
import { locate } from './report.ts';
import type { Envelope, Target } from './target.ts';

/**
 * Some models bind reasoning to the exact bytes before it. After an edit every later reasoning part would be refused,
 * so it goes where a rule of the contract listens to that. Reasoning before the first edit stays, and so does what came
 * in answer to the very messages that stand before it now.
 */
export function unseal(
  draft: Draft,
  target: Target,
  { input, choices }: { input: Envelope; choices: Choices },
): Repair[] {
  if (target.rules('prefix-changed').length === 0) return [];
  const repairs: Repair[] = [];
  const proposals: Proposal[] = [];
  for (const { rule, found } of wake(draft, target, { facts: boundReasoning(draft, choices), choices })) {
    const { message, part = 0 } = found.fact;
    const note = rule.explain(found);
    proposals.push({ edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note });
    const at = locate(found.fact, draft, { target, input });
    repairs.push({ rule: rule.id, at, action: 'drop', loss: 'lossy', note });
  }
  if (proposals.length > 0) applyProposals(draft, proposals, target.profile);
  return repairs;
}

/** The reasoning that stands behind the first change of the input, and was not given in answer to the changed bytes. */
function boundReasoning(draft: Draft, { prefixDigests }: Choices): FactRecord[] {
  const change = draft.firstChange;
  if (change === undefined) return [];
  const facts: FactRecord[] = [];
  const prefix = new SentPrefix(draft, prefixDigests);
  for (let message = 0; message < draft.wire.length; message += 1) {
    const early = draft.source(message) >= 0 && draft.source(message) < change.message;
    const behind = early ? [] : boundParts(draft.message(message), change);
    const bound = behind.length > 0 && prefix.isAsSent(message) ? [] : behind;
    for (const part of bound) facts.push(newFact('prefix-changed', message, part));
    prefix.add(message, bound);
  }
  return facts;
}

/** Knows what will stand before a message once all reasoning is gone that has to go. */
class SentPrefix {
  readonly #draft: Draft;
  readonly #digests: PrefixDigests;
  readonly #last: number;
  #digest = EMPTY_PREFIX;

  constructor(draft: Draft, digests: PrefixDigests = {}) {
    this.#draft = draft;
    this.#digests = digests;
    this.#last = Object.keys(digests).reduce((last, key) => Math.max(last, Number(key)), -1);
  }

  /** Whether the provider had been sent just this when it gave the message. */
  isAsSent(message: number): boolean {
    const source = this.#draft.source(message);
    const whole = this.#draft.message(message).parts.every(({ at }) => at?.message === source);
    return whole && this.#digests[source] === this.#digest;
  }

  /** Goes on behind a message, of which these parts will be gone. */
  add(message: number, gone: readonly number[]): void {
    // Nobody asks any more.
    if (this.#draft.source(message) > this.#last) return;
    const wire = gone.length === 0 ? this.#draft.wire[message] : this.#without(message, gone);
    this.#digest = extendDigest(this.#digest, wire);
  }

  #without(message: number, gone: readonly number[]): unknown {
    const before = this.#draft.message(message);
    const parts = before.parts.filter((_, index) => !gone.includes(index));
    return this.#draft.codec.write({ ...before, parts }, this.#draft.wire, this.#draft.memory);
  }
}

/** Indexes of the reasoning parts of a message that come after the first change. */
function boundParts(message: Message, change: { message: number; part: number }): number[] {
  const bound: number[] = [];
  message.parts.forEach((part, index) => {
    const { message: source, part: place = 0 } = part.at ?? { message: Number.POSITIVE_INFINITY };
    const after = source > change.message || (source === change.message && place >= change.part);
    if (part.kind === 'reasoning' && after) bound.push(index);
  });
  return bound;
}
