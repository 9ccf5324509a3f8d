import type { Sink } from '../model/codec.ts';
import type { Fact, FactRecord } from '../model/fact.ts';
import type { Draft } from './draft.ts';
import { requestFacts, type Target } from './target.ts';
import { Walk } from './walk.ts';

/** What a walk works out about calls and results, and about ids, from the structure of the messages. */
export const PAIR_FACTS: ReadonlySet<Fact> = new Set<Fact>([
  'call-open',
  'call-open-again',
  'call-id-again',
  'result-unknown',
  'result-early',
  'result-misnamed',
  'result-again',
  'result-displaced',
]);
/** What may be wrong with a message only because of what edits have put into it or beside it. */
const NEIGHBOUR_FACTS: ReadonlySet<Fact> = new Set<Fact>(['results-mixed', 'user-after-tool']);
const NONE: ReadonlySet<number> = new Set();

/**
 * Walks a draft and collects its facts. Where a walk could not tell what belongs together, it is made once more, and
 * that one and all later ones keep a ledger.
 */
export function survey(draft: Draft, target: Target): Walk {
  const hostile = new Set<number>();
  let walk = newWalk(draft, target, { ledger: draft.ledger });
  draft.walks += 1;
  if (!walkAll(draft, walk, hostile)) walk = walkHostile(walk, { draft, target, hostile });
  if (!walk.unsure) walk.finish();
  if (walk.unsure) {
    draft.ledger = true;
    return survey(draft, target);
  }
  if (draft.fresh === undefined) {
    draft.counted = walk.counted;
  } else if (walk.mayExceed(draft.counted)) {
    // What an edit brought to light may be one too many together with those in messages that were not read in depth.
    draft.fresh = undefined;
    draft.crowded = true;
    return survey(draft, target);
  }
  draft.fresh = NONE;
  return walk;
}

/** Looks for the messages that throw when they are read, and walks around them. */
function walkHostile(first: Walk, { draft, target, hostile }: Again & { hostile: Set<number> }): Walk {
  findHostile(draft, first, hostile);
  draft.walks += 2;
  const walk = newWalk(draft, target, { ledger: draft.ledger });
  if (!walkAll(draft, walk, hostile)) throw new Error('a message could be read once and then no more');
  return walk;
}

/** What a codec notices about the messages that the last round has made, each by itself. */
export function surveyMade(draft: Draft, target: Target): FactRecord[] {
  const walk = newWalk(draft, target);
  for (const index of [...draft.made].sort((a, b) => a - b)) {
    walk.skipTo(index);
    draft.codec.scan(draft.wire[index], walk);
  }
  return walk.takeFacts();
}

/**
 * What is wrong where the messages that the last round has made meet their neighbours. What else has to be done about a
 * message comes first, and is left to the next walk.
 */
export function surveyNeighbours(draft: Draft, target: Target): FactRecord[] {
  if (![...NEIGHBOUR_FACTS].some((fact) => target.rules(fact).length > 0)) return [];
  const facts = walkNeighbours(draft, target).takeFacts();
  const busy = new Set<number>();
  // Whether the list may end with a request decides what becomes of its last message.
  if (target.next !== undefined) busy.add(draft.wire.length - 1);
  for (const { fact, message } of facts) {
    if (fact === 'same-role') busy.add(message - 1);
    if (fact === 'same-role' || PAIR_FACTS.has(fact)) busy.add(message);
  }
  const isNew = (fact: Fact, message: number): boolean => fact !== 'results-mixed' || draft.made.has(message);
  return facts.filter(({ fact, message }) => NEIGHBOUR_FACTS.has(fact) && isNew(fact, message) && !busy.has(message));
}

/** Reads every message that the last round has made, with the one before it and the one behind it. */
function walkNeighbours(draft: Draft, target: Target): Walk {
  const walk = newWalk(draft, target, { endless: true });
  walk.deep = false;
  let end = 0;
  for (const index of [...draft.made].sort((a, b) => a - b)) {
    const from = Math.max(index - 1, end);
    // Nobody is known to have spoken before the first message of a stretch.
    if (from > end) walk.message('unreadable');
    end = Math.min(index + 2, draft.wire.length);
    walk.skipTo(from);
    for (let at = from; at < end; at += 1) draft.codec.scan(draft.wire[at], walk);
    walk.judgeNow();
  }
  return walk;
}

type Again = { readonly draft: Draft; readonly target: Target; readonly hostile: ReadonlySet<number> };

/** A walk over a draft of this target, at its beginning. */
export function newWalk(
  draft: Draft,
  target: Target,
  { endless = false, ledger = false }: { endless?: boolean; ledger?: boolean } = {},
): Walk {
  const { profile, purpose, next, rules } = target;
  const request = requestFacts(target, draft.body);
  return new Walk({ profile, request, purpose, rules, next, endless, ledger });
}

/** False when a message threw. */
function walkAll(draft: Draft, walk: Walk, hostile: ReadonlySet<number>): boolean {
  try {
    walk.deep = true;
    if (draft.fresh !== undefined || hostile.size > 0) walkAround(draft, walk, hostile);
    else walkStretch(draft, walk, { from: 0, to: draft.wire.length });
    return true;
  } catch {
    return false;
  }
}

/** Reads in depth what no walk has read so, and nothing of what throws when it is read. */
function walkAround(draft: Draft, walk: Walk, hostile: ReadonlySet<number>): void {
  const { fresh } = draft;
  let from = 0;
  for (const to of [...new Set([...(fresh ?? NONE), ...hostile])].sort((a, b) => a - b)) {
    walk.deep = fresh === undefined;
    walkStretch(draft, walk, { from, to });
    from = to + 1;
    walk.deep = true;
    if (hostile.has(to)) scanHostile(walk);
    else walkStretch(draft, walk, { from: to, to: from });
  }
  walk.deep = fresh === undefined;
  walkStretch(draft, walk, { from, to: draft.wire.length });
}

/** Some messages in a row: the first, and the one behind the last. */
type Span = { readonly from: number; readonly to: number };

/** Stops at the first doubt: such a walk is made once more from the beginning. */
function walkStretch({ wire, codec }: Draft, walk: Walk, { from, to }: Span): void {
  for (let i = from; i < to && !walk.unsure; i += 1) codec.scan(wire[i], walk);
}

function scanHostile(walk: Walk): void {
  walk.message('unreadable');
  walk.fact('value-unserialisable');
}

/** Messages that throw when they are read are found in one go, so that many of them cost no more than one. */
function findHostile(draft: Draft, walk: Walk, hostile: Set<number>): void {
  const sink: Sink = {
    deep: true,
    profile: walk.profile,
    memory: walk.memory,
    request: walk.request,
    message: () => undefined,
    part: () => undefined,
    fact: () => undefined,
    total: 0,
  };
  for (let i = 0; i < draft.wire.length; i += 1) {
    try {
      draft.codec.scan(draft.wire[i], sink);
    } catch {
      hostile.add(i);
    }
  }
}
