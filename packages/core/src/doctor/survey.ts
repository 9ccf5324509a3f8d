import type { Sink } from '../model/codec.ts';
import type { Draft } from './draft.ts';
import { requestFacts, type Target } from './target.ts';
import { Walk } from './walk.ts';

/** Walks a draft once and collects its facts; a second time only if a result belongs to a step long past. */
export function survey(draft: Draft, target: Target): Walk {
  const hostile = new Set<number>();
  for (let indexed = false; ; ) {
    const walk = newWalk(draft, target, indexed);
    const stopped = walkAll(draft, walk, hostile);
    if (stopped === 'hostile') findHostile(draft, walk, hostile);
    else if (stopped === 'missed') indexed = true;
    else return walk;
  }
}

/** A walk over a draft of this target, at its beginning. */
export function newWalk(draft: Draft, target: Target, indexed: boolean): Walk {
  return new Walk({
    profile: target.profile,
    request: requestFacts(target, draft.body),
    purpose: target.purpose,
    wanted: target.rules.wanted,
    next: target.next,
    indexed,
  });
}

function walkAll(draft: Draft, walk: Walk, hostile: ReadonlySet<number>): 'done' | 'missed' | 'hostile' {
  const { wire, fresh, codec } = draft;
  try {
    for (let i = 0; i < wire.length; i += 1) {
      walk.deep = fresh === undefined || fresh.has(i);
      if (hostile.size > 0 && hostile.has(i)) {
        walk.message('unreadable');
        walk.fact('value-unserialisable');
      } else {
        codec.scan(wire[i], walk);
      }
      if (walk.missed) return 'missed';
    }
  } catch {
    return 'hostile';
  }
  walk.finish();
  return 'done';
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
    characters: () => undefined,
  };
  const before = hostile.size;
  for (let i = 0; i < draft.wire.length; i += 1) {
    try {
      draft.codec.scan(draft.wire[i], sink);
    } catch {
      hostile.add(i);
    }
  }
  if (hostile.size === before) throw new Error('a message threw once and then no more');
}
