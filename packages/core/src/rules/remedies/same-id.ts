import { pairKey, type CallPart, type Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { SharedId } from '../../pairs/shared-id.ts';
import { callOf, resultOf } from './batch.ts';
import { toolKey } from './other-tool.ts';
import { otherOf, resultPlaces } from './place.ts';

type Spot = { readonly message: number; readonly part: number };

/** A call that shares its id, by its position among these, and its results. */
type Copy = { readonly order: number; readonly results: Spot[] };

/** The first call of an id, and all of them with their results. */
type Shared = { readonly first: Spot; readonly copies: readonly Copy[] };

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
    entry = { first, copies: share(found, places, call) };
    known.set(places, entry);
  }
  return entry.copies[order]?.results ?? NONE;
}

function share(found: Case, places: readonly Spot[], call: CallPart): readonly Copy[] {
  const { message, part } = otherOf(found);
  const shared = new SharedId<Copy>(({ results }) => results.length === 0);
  const end = found.profile.step === 'message' ? message + 1 : found.count;
  const collect = (each: Part): void => {
    if (each.kind !== 'call' || each.server || pairKey(each) !== pairKey(call)) return;
    shared.add({ order: shared.all.list.length, results: [] }, toolKey(each.tool));
  };
  found.message(message).parts.slice(part).forEach(collect);
  for (let i = message + 1; i < end && found.message(i).role === 'assistant'; i += 1) {
    found.message(i).parts.forEach(collect);
  }
  for (const at of places) shared.find(toolKey(resultOf(found, at).tool))?.results.push(at);
  return shared.all.list;
}
