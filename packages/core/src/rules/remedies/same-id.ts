import { indexAt } from '../../model/index-at.ts';
import { pairKey, type CallPart, type Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { callOf, resultOf } from './batch.ts';
import { strictName } from './legal-name.ts';
import { isUnnamed } from './other-tool.ts';
import { otherOf, resultPlaces } from './place.ts';

type Spot = { readonly message: number; readonly part: number };

/** By the position of a call among those of its id: its results. */
type Answers = ReadonlyMap<number, readonly Spot[]>;

/** The first call of an id, and the results of each call. */
type Shared = { readonly first: Spot; readonly answers: Answers };

const NONE: readonly Spot[] = [];

/** Where several calls of a step share an id: the results of that id which belong to the one that the fact is about. */
export function answersOf(found: Case, order: number): readonly Spot[] {
  const call = callOf(found, found.fact);
  const places = resultPlaces(found, found.fact.message, call);
  if (places.length === 0) return NONE;
  const first = otherOf(found);
  // By the results of an id, so that many copies are read once.
  const known = found.note('shared ids', () => new Map<readonly Spot[], Shared>());
  let entry = known.get(places);
  if (entry?.first.message !== first.message || entry.first.part !== first.part) {
    entry = { first, answers: share(found, places, copiesOf(found, call)) };
    known.set(places, entry);
  }
  return entry.answers.get(order) ?? NONE;
}

/** The names of the tools that the calls of one id ask for, in order; an empty one where the name was lost. */
function copiesOf(found: Case, call: CallPart): string[] {
  const { message, part } = otherOf(found);
  const names: string[] = [];
  const end = found.profile.step === 'message' ? message + 1 : found.count;
  const collect = (each: Part): void => {
    if (each.kind === 'call' && !each.server && pairKey(each) === pairKey(call)) names.push(nameOf(each.tool));
  };
  found.message(message).parts.slice(part).forEach(collect);
  for (let i = message + 1; i < end && found.message(i).role === 'assistant'; i += 1) {
    found.message(i).parts.forEach(collect);
  }
  return names;
}

function nameOf(tool: string | undefined): string {
  return tool === undefined || isUnnamed(tool) ? '' : strictName(tool);
}

/**
 * Results belong to calls of the same id in order, but none to a call of another tool than it names. One that fits only
 * calls which have a result is a second one of the first of these.
 */
function share(found: Case, places: readonly Spot[], names: readonly string[]): Answers {
  const answers = new Map<number, Spot[]>();
  const all = new Queue(answers);
  const lost = new Queue(answers);
  const byName = new Map([['', lost]]);
  names.forEach((name, order) => {
    const queue = byName.get(name) ?? new Queue(answers);
    byName.set(name, queue);
    queue.list.push(order);
    all.list.push(order);
  });
  for (const at of places) {
    const name = nameOf(resultOf(found, at).tool);
    const named = name === '' ? all : (byName.get(name) ?? lost);
    const free = Math.min(named.next(), lost.next());
    const fitting = Math.min(named.first, lost.first);
    const order = [free, fitting, all.next()].find(Number.isFinite) ?? 0;
    const own = answers.get(order);
    if (own === undefined) answers.set(order, [at]);
    else own.push(at);
  }
  return answers;
}

/** Calls that a result may belong to, in order. */
class Queue {
  readonly list: number[] = [];
  private readonly answers: Answers;
  private start = 0;

  constructor(answers: Answers) {
    this.answers = answers;
  }

  get first(): number {
    return this.list[0] ?? Number.POSITIVE_INFINITY;
  }

  /** The first that has no result yet. */
  next(): number {
    while (this.answers.has(indexAt(this.list, this.start))) this.start += 1;
    return this.list[this.start] ?? Number.POSITIVE_INFINITY;
  }
}
