import type { Sink } from '../model/codec.ts';
import { toFactRecord } from '../model/fact.ts';
import { PRESERVE } from '../model/policy.ts';
import { DraftCase } from './case.ts';
import { Draft } from './draft.ts';
import { requestFacts, type Target } from './target.ts';
import { Walk } from './walk.ts';

/**
 * Walks a draft and collects its facts. A walk that could not tell what belongs together is made again with a ledger;
 * from then on every walk of this draft begins with one, so that only one is made twice.
 */
export function survey(draft: Draft, target: Target): Walk {
  const hostile = new Set<number>();
  const ledger = draft.unsure;
  let walk = newWalk(draft, target, { ledger });
  draft.walks += 1;
  if (!walkAll(draft, walk, { hostile })) {
    findHostile(draft, walk, hostile);
    draft.walks += 2;
    walk = newWalk(draft, target, { ledger });
    if (!walkAll(draft, walk, { hostile })) throw new Error('a message could be read once and then no more');
  }
  walk.finish();
  if (ledger || !walk.unsure) return walk;
  draft.unsure = true;
  draft.walks += 1;
  const sure = newWalk(draft, target, { ledger: true });
  // What is wrong with each message by itself is known. Only an id that is to be renamed also counts for what follows.
  walkAll(draft, sure, { hostile, known: !walk.renames });
  if (!walk.renames) sure.adopt(walk);
  sure.finish();
  return sure;
}

/** By dialect: shapes that are never used and never let go, for the reason given at the samples of a codec. */
const kept = new Map<string, readonly unknown[]>();
let walks = 0;

/** A walk over a draft of this target, at its beginning. */
export function newWalk(
  draft: Draft,
  target: Target,
  { endless = false, ledger = false }: { endless?: boolean; ledger?: boolean } = {},
): Walk {
  const { profile, purpose, next, rules } = target;
  const request = requestFacts(target, draft.body);
  // The first walk of a process has nothing to gain from them.
  walks += 1;
  if (walks > 1 && !kept.has(target.codec.dialect)) kept.set(target.codec.dialect, keepShapes(target));
  return new Walk({ profile, request, purpose, rules, next, endless, ledger });
}

function keepShapes(target: Target): readonly unknown[] {
  const { codec, profile, purpose, next, rules } = target;
  const draft = new Draft(codec, codec.samples, undefined);
  const fact = toFactRecord('no-messages', { message: -1, part: -1 }, {});
  const found = new DraftCase(draft, target, { fact, choices: { policy: PRESERVE, evidence: undefined } });
  const walk = new Walk({ profile, request: undefined, purpose, rules, next, endless: false, ledger: true });
  codec.samples.forEach((sample, index) => {
    codec.scan(sample, walk);
    draft.message(index);
  });
  return [walk, draft, found];
}

type Reading = {
  /** Messages that throw when they are read. */
  readonly hostile: ReadonlySet<number>;
  /** All messages were read before, and only their structure is needed. */
  readonly known?: boolean;
};

/** False when a message threw. */
function walkAll(draft: Draft, walk: Walk, { hostile, known = false }: Reading): boolean {
  const { wire, fresh, codec } = draft;
  try {
    for (let i = 0; i < wire.length; i += 1) {
      walk.deep = !known && (fresh === undefined || fresh.has(i));
      if (hostile.size > 0 && hostile.has(i)) scanHostile(walk);
      else codec.scan(wire[i], walk);
    }
    return true;
  } catch {
    return false;
  }
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
