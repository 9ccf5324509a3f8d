import { pairKey, type CallPart, type Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { SharedId } from '../../pairs/shared-id.ts';
import { callOf, resultOf } from './batch.ts';
import { toolKey } from './other-tool.ts';
import { otherOf, resultPlaces } from './place.ts';

type Spot = { readonly message: number; readonly part: number };

/** A call that shares its id, by its position among these, and its results. */
type Copy = { readonly order: number; readonly results: Spot[] };

const NONE: readonly Spot[] = [];

/** Where several calls of a step share an id: the results of that id which belong to the one that the fact is about. */
export function answersOf(found: Case, order: number): readonly Spot[] {
  const call = callOf(found, found.fact);
  const places = resultPlaces(found, found.fact.message, call);
  if (places.length === 0) return NONE;
  // Many copies are read once.
  const { message, part } = otherOf(found);
  const copies = found.note(`copies ${String(message)}.${String(part)}`, () => share(found, places, call));
  return copies.slice(order, order + 1).flatMap(({ results }) => results);
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
