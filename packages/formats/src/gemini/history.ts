import { createAbsentees, type Absentees } from '../absentees.ts';
import { charactersOf, isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import { isMessage, unsentReason } from './records.ts';

/** A message of the session: where its record stands, and how to find it in the record. */
export type Item = {
  readonly place: Place;
  readonly find: (record: JsonObject) => JsonObject | undefined;
  readonly unsent: 'hidden' | 'reworded' | undefined;
  readonly characters: number;
};

/** The messages as they are after the changes so far. A record with an id that is known replaces the one before. */
export type History = {
  readonly add: (value: JsonObject, place: Place) => void;
  readonly items: () => readonly Item[];
  readonly absentees: Absentees;
};

export function createHistory(): History {
  const messages = new Map<string, Item>();
  const absentees = createAbsentees();
  const drop = (ids: readonly string[], reason: 'rewound' | 'repeated'): void => {
    for (const id of ids) {
      absentees.add(reason, messages.get(id)?.characters ?? 0);
      messages.delete(id);
    }
  };
  const put = (message: JsonObject, place: Place, find: Item['find']): void => {
    const id = textAt(message, 'id') ?? `#${messages.size}`;
    const before = messages.get(id);
    if (before !== undefined) absentees.add('repeated', before.characters);
    messages.set(id, { place, find, unsent: unsentReason(message), characters: spokenIn(message) });
  };
  return {
    add(value, place) {
      const rewind = textAt(value, '$rewindTo');
      const list = objectAt(value, '$set')?.['messages'] ?? value['messages'];
      if (rewind !== undefined) {
        const ids = [...messages.keys()];
        // A message that is not there takes back everything.
        drop(ids.slice(Math.max(0, ids.indexOf(rewind))), 'rewound');
      } else if (isMessage(value)) put(value, place, (record) => record);
      else if (Array.isArray(list)) {
        if (objectAt(value, '$set') !== undefined) drop([...messages.keys()], 'repeated');
        for (const [index, message] of list.entries()) {
          if (isObject(message)) put(message, place, (record) => listed(record, index));
        }
      }
    },
    items: () => [...messages.values()],
    absentees,
  };
}

/** A message in the list that a record sets. */
function listed(record: JsonObject, index: number): JsonObject | undefined {
  const holder = objectAt(record, '$set') ?? record;
  const message = listAt(holder, 'messages')[index];
  return isObject(message) ? message : undefined;
}

const spokenIn = ({ content, toolCalls }: JsonObject): number => charactersOf(content) + charactersOf(toolCalls);
