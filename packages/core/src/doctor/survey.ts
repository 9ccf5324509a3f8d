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
  if (!walkAll(draft, walk, hostile)) {
    findHostile(draft, walk, hostile);
    draft.walks += 2;
    walk = newWalk(draft, target, { ledger });
    if (!walkAll(draft, walk, hostile)) throw new Error('a message could be read once and then no more');
  }
  walk.finish();
  if (ledger || !walk.unsure) return walk;
  draft.unsure = true;
  draft.walks += 1;
  const sure = newWalk(draft, target, { ledger: true });
  walkAll(draft, sure, hostile);
  sure.finish();
  return sure;
}

/** Shapes that are never used and never let go, for the reason given at the samples of a codec. */
let kept: readonly unknown[] | undefined;
let walks = 0;

/** A walk over a draft of this target, at its beginning. */
export function newWalk(
  draft: Draft,
  target: Target,
  { endless = false, ledger = false }: { endless?: boolean; ledger?: boolean } = {},
): Walk {
  const { profile, purpose, next } = target;
  const { wanted } = target.rules;
  const request = requestFacts(target, draft.body);
  // The first walk of a process has nothing to gain from them.
  walks += 1;
  if (walks > 1) kept ??= keepShapes(target);
  return new Walk({ profile, request, purpose, wanted, next, endless, ledger });
}

function keepShapes(target: Target): readonly unknown[] {
  const { codec, profile, purpose, next, rules } = target;
  const draft = new Draft(codec, [], undefined);
  const fact = toFactRecord('no-messages', { message: -1, part: -1 }, {});
  const found = new DraftCase(draft, target, { fact, choices: { policy: PRESERVE, evidence: undefined } });
  const walk = new Walk({ profile, request: undefined, purpose, wanted: rules.wanted, next, endless: false });
  return [walk, draft, found];
}

/** False when a message threw. */
function walkAll(draft: Draft, walk: Walk, hostile: ReadonlySet<number>): boolean {
  const { wire, fresh, codec } = draft;
  try {
    for (let i = 0; i < wire.length; i += 1) {
      walk.deep = fresh === undefined || fresh.has(i);
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
