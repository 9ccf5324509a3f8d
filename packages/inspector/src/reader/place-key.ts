import type { Place } from '@rethread/formats';

/** One text for each place, so that places can be compared. */
export function placeKey(place: Place): string {
  if (place.kind === 'line') return `${place.file}\n${place.byte}`;
  return place.kind === 'value' ? `${place.file}\n${place.pointer}` : `${place.table}\n${place.row}`;
}

/** A place in words. */
export function placeWords(place: Place): string {
  if (place.kind === 'line') return `line ${place.line}`;
  if (place.kind === 'row') return `row ${place.row} of ${place.table}`;
  return place.pointer === '' ? 'the file' : place.pointer;
}
