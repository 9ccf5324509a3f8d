import { createAbsentees, type Absentees } from '../absentees.ts';
import { charactersOf, isObject, listAt, numberAt, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import { agentMessage, isSent, isSummary, roleInTurns, textOf, wireItem, type RolloutRecord } from './records.ts';

/** An item of the history: where its record stands, and how to make the item of the record's payload. */
export type Item = {
  readonly place: Place;
  readonly make: (payload: JsonObject) => unknown;
  readonly role: 'turn' | 'context' | 'other';
  readonly isSummary: boolean;
  readonly characters: number;
};

/** The history as it grows: only what is active is kept, and of that only the places. */
export type History = {
  readonly add: (record: RolloutRecord) => void;
  readonly items: () => readonly Item[];
  readonly absentees: Absentees;
};

/** What a compaction without a history of its own keeps of the messages of users, in characters. */
const KEPT_CHARACTERS = 80_000;

export function createHistory(): History {
  let items: Item[] = [];
  const absentees = createAbsentees();
  const leave = (left: readonly Item[], reason: 'compacted' | 'rewound'): void => {
    for (const { characters } of left) absentees.add(reason, characters);
  };
  const steps: Readonly<Record<string, (record: RolloutRecord) => void>> = {
    response_item: ({ payload, place }) => {
      if (isSent(payload)) items.push(itemOf(payload, place, wireItem));
      else absentees.add('hidden', charactersOf(payload));
    },
    inter_agent_communication: ({ payload, place }) => {
      items.push({ ...itemOf(agentMessage(payload), place, agentMessage), role: 'turn' });
    },
    compacted: ({ payload, place }) => {
      const before = items;
      items = Array.isArray(payload['replacement_history'])
        ? replacementOf(payload, place)
        : [...keptOf(before), summaryOf(payload, place)];
      leave(
        before.filter(({ place: at }) => !items.some((item) => item.place === at)),
        'compacted',
      );
    },
    event_msg: ({ payload }) => {
      if (textAt(payload, 'type') !== 'thread_rolled_back') return;
      const cut = cutOf(items, numberAt(payload, 'num_turns') ?? 0);
      leave(items.slice(cut), 'rewound');
      items = items.slice(0, cut);
    },
  };
  return { add: (record) => steps[record.type]?.(record), items: () => items, absentees };
}

const itemOf = (item: JsonObject, place: Place, make: Item['make']): Item => ({
  place,
  make,
  role: roleInTurns(item),
  isSummary: isSummary(item),
  characters: charactersOf(item),
});

function replacementOf(payload: JsonObject, place: Place): Item[] {
  return listAt(payload, 'replacement_history').flatMap((item, index) => {
    if (!isObject(item) || !isSent(item)) return [];
    const make = (again: JsonObject): unknown => {
      const held = listAt(again, 'replacement_history')[index];
      return isObject(held) ? wireItem(held) : held;
    };
    return [itemOf(item, place, make)];
  });
}

const userMessage = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

/** Older compactions keep what users said last, and nothing else. */
function keptOf(items: readonly Item[]): Item[] {
  const kept: Item[] = [];
  let characters = 0;
  for (const item of items.toReversed()) {
    if (item.role !== 'turn' || item.isSummary) continue;
    characters += item.characters;
    if (characters > KEPT_CHARACTERS) break;
    kept.unshift({ ...item, make: (payload) => userMessage(textOf(payload)) });
  }
  return kept;
}

function summaryOf(payload: JsonObject, place: Place): Item {
  const make = (again: JsonObject): unknown => userMessage(textAt(again, 'message') || '(no summary available)');
  return { ...itemOf(userMessage(textAt(payload, 'message') ?? ''), place, make), isSummary: true };
}

/** Where the last turns begin, with the context that was put before the first of them. */
function cutOf(items: readonly Item[], turns: number): number {
  const starts = items.flatMap(({ role }, index) => (role === 'turn' ? [index] : []));
  const [first] = starts;
  if (first === undefined || turns <= 0) return items.length;
  let cut = starts[Math.max(0, starts.length - turns)] ?? first;
  while (cut > first && items[cut - 1]?.role === 'context') cut -= 1;
  return cut;
}
