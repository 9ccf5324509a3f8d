import type { Active, Entry, Place, ToolSession } from '@rethread/formats';

const keyOf = (place: Place): string => {
  if (place.kind === 'line') return `${place.file} ${place.byte}`;
  return place.kind === 'value' ? `${place.file} ${place.pointer}` : `${place.table} ${place.row}`;
};

/** When a record was written, as tools note it. */
function timeOf({ value }: Entry): string | undefined {
  const { timestamp, ts, time } = value;
  const given = timestamp ?? ts ?? (typeof time === 'object' && time !== null && 'created' in time && time.created);
  if (typeof given === 'string') return Number.isNaN(Date.parse(given)) ? undefined : new Date(given).toISOString();
  return typeof given === 'number' && Math.abs(given) < 8.64e15 ? new Date(given).toISOString() : undefined;
}

/** The times of the messages of the next request, by their places. */
export async function messageTimes(session: ToolSession, { places }: Active): Promise<(string | undefined)[]> {
  const wanted = new Map<string, number>();
  for (const [index, [place]] of places.entries()) if (place !== undefined) wanted.set(keyOf(place), index);
  const times = new Array<string | undefined>(places.length);
  for await (const entry of session.entries()) {
    const index = wanted.get(keyOf(entry.place));
    if (index !== undefined) times[index] = timeOf(entry);
  }
  return times;
}
