/** A message that stays as it is: its index, or itself. */
export type Pin = number | object;

/** The places of pinned messages; a pin that is not in the list pins nothing. */
export function pinnedPlaces(list: readonly unknown[], pins: readonly Pin[]): ReadonlySet<number> {
  const places = new Set<number>();
  const objects = new Set<unknown>();
  for (const pin of pins) {
    if (typeof pin === 'number') places.add(pin);
    else objects.add(pin);
  }
  if (objects.size > 0) list.forEach((wire, index) => objects.has(wire) && places.add(index));
  return places;
}
