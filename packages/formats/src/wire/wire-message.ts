import type { JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Active } from '../session.ts';

/** A message in the words of an API, and where it comes from. */
export type WireMessage = { readonly message: JsonObject; readonly places: readonly Place[] };

/** The messages of a request, and the places of each. */
export const listed = (wire: readonly WireMessage[]): Pick<Active, 'messages' | 'places'> => ({
  messages: wire.map(({ message }) => message),
  places: wire.map(({ places }) => places),
});

/** Joins messages that follow each other in one role, for APIs that take turns. `key` names the list they hold. */
export function joinTurns(wire: readonly WireMessage[], key: 'content' | 'parts'): WireMessage[] {
  const joined: WireMessage[] = [];
  for (const { message, places } of wire) {
    const last = joined.at(-1);
    const [before, now] = [last?.message[key], message[key]];
    if (
      last === undefined ||
      last.message['role'] !== message['role'] ||
      !Array.isArray(before) ||
      !Array.isArray(now)
    ) {
      joined.push({ message, places });
      continue;
    }
    const both = { ...last.message, [key]: [...(before as unknown[]), ...(now as unknown[])] };
    joined[joined.length - 1] = { message: both, places: joinPlaces(last.places, places) };
  }
  return joined;
}

const joinPlaces = (before: readonly Place[], after: readonly Place[]): readonly Place[] => [
  ...before,
  ...after.filter((place) => !before.includes(place)),
];
