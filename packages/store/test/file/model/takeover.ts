import { Claims } from '../../../src/drivers/file/journal-claims.ts';
import type { Meta } from '../../../src/drivers/file/line.ts';

// A model of the processes that use one journal during a takeover, small enough to try every order of their steps. Each
// step is one system call. A process may end or stop forever at any step. The invariants are checked after each step.

const name = 's';

/** A line that others wrote behind the groups; nobody can read a torn one. */
type Line = Meta | 'torn';

type Seen = { readonly lines: readonly Line[]; readonly groups: number };

/**
 * The journal owner; the process that takes the session over; a sweeper for a dead owner; and a sweeper that mistakes a
 * live owner for a dead one.
 */
type Kind = 'owner' | 'taker' | 'sweeper' | 'passer';

/** The state of one process: its step, what it has read, and its result. */
type Actor = {
  readonly kind: Kind;
  readonly epoch: number;
  readonly step: string;
  readonly seen: Seen;
  /** The groups it acted on: wrote to the log and built on. */
  readonly acted?: readonly number[];
};

/** Group n ends at place n. The owner writes all groups with epoch 1. */
export type World = {
  readonly groups: number;
  readonly durableGroups: number;
  readonly lines: readonly Line[];
  readonly durableLines: number;
  readonly answers: readonly ('acknowledged' | 'refused')[];
  readonly actors: readonly Actor[];
  readonly tears: number;
};

const nothing: Seen = { lines: [], groups: 0 };

export const startWorld = (kinds: readonly Kind[], tears: number): World => ({
  groups: 0,
  durableGroups: 0,
  lines: [],
  durableLines: 0,
  answers: [],
  actors: kinds.map((kind, index) => ({ kind, epoch: index + 1, step: 'start', seen: nothing })),
  tears,
});

function claimsIn(lines: readonly Line[]): Claims {
  const claims = new Claims();
  for (const line of lines) if (line !== 'torn') claims.add(line, 0);
  return claims;
}

/** The groups that count, of those visible. */
const counted = (claims: Claims, groups: number): number[] =>
  Array.from({ length: groups }, (_, index) => index + 1).filter((end) => claims.allows({ name, epoch: 1, end }));

const synced = (world: World): World => ({
  ...world,
  durableGroups: world.groups,
  durableLines: world.lines.length,
});

/** Appends the line, or a torn one. */
function appended(world: World, lines: readonly Meta[]): World[] {
  const whole = { ...world, lines: [...world.lines, ...lines] };
  if (world.tears === 0 || lines.length === 0) return [whole];
  const torn: World = { ...world, lines: [...world.lines, 'torn'], tears: world.tears - 1 };
  return [whole, torn];
}

const boundsFor = (claims: Claims, at: number): Meta[] =>
  claims.open(name).map((epoch) => ({ bound: name, e: epoch, at }));

type Next = readonly [World, Partial<Actor>];

/** Writes a group, syncs and checks. Sets missing bounds for claims it finds, then acknowledges. */
function ownerSteps(world: World, { step, seen }: Actor, most: number): Next[] {
  const to = (next: string, after: World = world, more: Partial<Actor> = {}): Next => [after, { step: next, ...more }];
  const answer = (claims: Claims): World['answers'] => [
    ...world.answers,
    claims.allows({ name, epoch: 1, end: world.groups }) ? 'acknowledged' : 'refused',
  ];
  switch (step) {
    case 'start':
      return world.groups === most ? [] : [to('sync', { ...world, groups: world.groups + 1 })];
    case 'sync':
      return [to('look', synced(world))];
    case 'look':
      if (world.lines.length === seen.lines.length) {
        return [to('start', { ...world, answers: [...world.answers, 'acknowledged'] })];
      }
      return [to('read', world)];
    case 'read': {
      const open = claimsIn(world.lines).open(name).length > 0;
      return [to(open ? 'bind' : 'sync-seen', world, { seen: { lines: world.lines, groups: 0 } })];
    }
    case 'bind':
      return appended(world, boundsFor(claimsIn(seen.lines), world.groups)).map((after) => to('read', after));
    case 'sync-seen':
      return [to('judge', synced(world))];
    case 'judge': {
      const claims = claimsIn(seen.lines);
      return [to(claims.newest(name) > 1 ? 'ended' : 'start', { ...world, answers: answer(claims) })];
    }
    default:
      return [];
  }
}

/** Claims the session until the claim is readable. */
function claimSteps(world: World, { epoch }: Actor): Next[] {
  if (claimsIn(world.lines).newest(name) >= epoch) return [[world, { step: 'read-lines' }]];
  return appended(world, [{ claim: name, e: epoch }]).map((after) => [after, { step: 'start' }]);
}

/**
 * Reads the claims, then the groups, and syncs both, because nobody may act on what a power failure could undo. Acts
 * when every claim has its bound and no new one has appeared.
 */
function decideSteps(world: World, { step, seen }: Actor): Next[] {
  switch (step) {
    case 'read-lines':
      return [[world, { step: 'read-groups', seen: { lines: world.lines, groups: 0 } }]];
    case 'read-groups':
      return [
        [
          world,
          { step: seen.lines.length === 0 ? 'look-again' : 'sync-seen', seen: { ...seen, groups: world.groups } },
        ],
      ];
    case 'sync-seen':
      return [[synced(world), { step: 'look-again' }]];
    case 'look-again': {
      const claims = claimsIn(seen.lines);
      const bounds = boundsFor(claims, seen.groups);
      if (bounds.length > 0) return appended(world, bounds).map((after) => [after, { step: 'read-lines' }]);
      if (claimsIn(world.lines).count(name) !== claims.count(name)) return [[world, { step: 'read-lines' }]];
      return [[world, { step: 'ended', acted: counted(claims, seen.groups) }]];
    }
    default:
      return [];
  }
}

function stepsOf(world: World, actor: Actor, most: number): Next[] {
  if (actor.kind === 'owner') return ownerSteps(world, actor, most);
  if (actor.kind === 'taker' && actor.step === 'start') return claimSteps(world, actor);
  if (actor.step !== 'start') return decideSteps(world, actor);
  if (actor.kind === 'passer') return [[world, { step: 'read-lines' }]];
  // Only a dead owner's journal is swept; from then on the owner takes no step.
  const buried = world.actors.map((each) => (each.kind === 'owner' ? { ...each, step: 'dead' } : each));
  return [[{ ...world, actors: buried }, { step: 'read-lines' }]];
}

/** Every world after one step of one process. */
export const worldsBehind = (world: World, most: number): World[] =>
  world.actors.flatMap((actor, index) =>
    stepsOf(world, actor, most).map(([after, change]) => ({
      ...after,
      actors: after.actors.map((each, place) => (place === index ? { ...each, ...change } : each)),
    })),
  );

/** The possible states after a power failure: each unsynced item is there or not. */
function* afterPowerCut({ groups, durableGroups, lines, durableLines }: World): Generator<[number, readonly Line[]]> {
  const loose = lines.length - durableLines;
  for (let kept = durableGroups; kept <= groups; kept += 1) {
    for (let choice = 0; choice < 2 ** loose; choice += 1) {
      yield [kept, lines.filter((_, index) => index < durableLines || ((choice >> (index - durableLines)) & 1) === 1)];
    }
  }
}

const isSubset = (some: readonly number[], all: readonly number[]): boolean => some.every((each) => all.includes(each));

const tell = (what: string, some: readonly number[], others: readonly number[]): string =>
  `${what}: groups ${some.join(', ')} and ${others.join(', ')}`;

/** The broken invariant of a world, if any. */
export function violation(world: World): string | undefined {
  const numbered = (answer: string): number[] =>
    world.answers.flatMap((each, index) => (each === answer ? [index + 1] : []));
  const [acknowledged, refused] = [numbered('acknowledged'), numbered('refused')];
  const viewsOf = (passing: boolean): (readonly number[])[] =>
    world.actors.flatMap(({ kind, acted }) => (acted === undefined || (kind === 'passer') !== passing ? [] : [acted]));
  const views = viewsOf(false);
  const [view] = views;
  for (const each of views) {
    if (!isSubset(acknowledged, each)) return tell('acknowledged, and acted on', acknowledged, each);
    if (each.join() !== view?.join()) return tell('acted on by two', each, view ?? []);
  }
  const passed = viewsOf(true).flat();
  if (view !== undefined && !isSubset(passed, view)) return tell('acted on, one in passing', view, passed);
  for (const [groups, lines] of afterPowerCut(world)) {
    const found = counted(claimsIn(lines), groups);
    // An acting process has written to the log, so the journal does not matter.
    const all = [...new Set([...found, ...passed, ...(view ?? [])])];
    if (!isSubset(acknowledged, all)) return tell('acknowledged, and there after a power cut', acknowledged, all);
    if (refused.some((each) => all.includes(each))) return tell('refused, and there after a power cut', refused, all);
    if (view !== undefined && !isSubset(found, view)) return tell('acted on, and there after a power cut', view, found);
  }
  return undefined;
}
