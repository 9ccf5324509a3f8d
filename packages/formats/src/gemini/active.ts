import { createAbsentees } from '../absentees.ts';
import type { FaultLog } from '../fault.ts';
import { rereadRecords } from '../files/log-file.ts';
import { charactersOf, isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Active, RuleId } from '../session.ts';
import type { History, Item } from './history.ts';
import { contentsOf, partsOf } from './records.ts';

/** What the program mends: it seals the first call of a step, fills in answers that were interrupted, joins turns. */
const COPES: readonly RuleId[] = ['call-unsigned', 'same-role-run', 'first-message-not-user'];

type Order = { readonly history: History; readonly document: unknown; readonly model: string | undefined };

type Turn = { readonly role: string; readonly parts: unknown[]; readonly places: Place[] };

export async function activeOf({ history, document, model }: Order, faults: FaultLog): Promise<Active> {
  const items = history.items();
  const sent = items.filter(({ unsent }) => unsent === undefined);
  const records = await recordsOf(sent, document, faults);
  const absentees = createAbsentees();
  for (const { reason, characters, messages } of history.absentees.list()) absentees.add(reason, characters, messages);
  for (const { unsent, characters } of items) if (unsent !== undefined) absentees.add(unsent, characters);
  const turns: Turn[] = [];
  for (const [index, { place, find }] of sent.entries()) {
    const message = records[index] === undefined ? undefined : find(records[index]);
    if (message === undefined) continue;
    absentees.add('hidden', thoughtCharacters(message), 0);
    for (const { role, parts } of contentsOf(message)) addTurn(turns, { role, parts, places: [place] });
  }
  return {
    ...wire(turns),
    ...optional('model', model),
    absent: absentees.list().filter(({ characters }) => characters > 0),
  };
}

/** Thoughts are shown, and not sent back. */
const thoughtCharacters = ({ thoughts, content }: JsonObject): number =>
  charactersOf(listAt({ thoughts }, 'thoughts').map((thought) => textAt(thought, 'description'))) +
  charactersOf(partsOf(content).filter((part) => part['thought'] === true));

/** Contents of one role in a row are one content. */
function addTurn(turns: Turn[], { role, parts, places }: Turn): void {
  const last = turns.at(-1);
  if (last?.role !== role) turns.push({ role, parts: [...parts], places: [...places] });
  else {
    last.parts.push(...parts);
    if (!last.places.includes(places[0] as Place)) last.places.push(...places);
  }
}

const wire = (turns: readonly Turn[]): Omit<Active, 'absent'> => ({
  dialect: 'gemini',
  messages: turns.map(({ role, parts }) => ({ role, parts })),
  places: turns.map(({ places }) => places),
  copes: COPES,
});

async function recordsOf(
  items: readonly Item[],
  document: unknown,
  faults: FaultLog,
): Promise<(JsonObject | undefined)[]> {
  const places = items.flatMap(({ place }) => (place.kind === 'line' ? [place] : []));
  const [first] = places;
  if (first !== undefined) return rereadRecords(first.file, places, faults);
  return items.map(({ place }) => {
    const index = place.kind === 'value' ? Number(place.pointer.split('/').at(-1)) : -1;
    const message = listAt(document, 'messages')[index];
    return isObject(message) ? message : undefined;
  });
}

/** A checkpoint holds what was sent. */
export function activeOfCheckpoint(document: JsonObject, place: (index: number) => Place): Active {
  const turns = listAt(document, 'history').flatMap((turn, index) => {
    if (!isObject(turn)) return [];
    const role = textAt(turn, 'role') === 'user' ? 'user' : 'model';
    return [{ role, parts: [...listAt(turn, 'parts')], places: [place(index)] }];
  });
  return { ...wire(turns), absent: [] };
}
