import type { FaultLog } from '../fault.ts';
import { rereadRecords } from '../files/log-file.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Active, RuleId } from '../session.ts';
import { listed } from '../wire/wire-message.ts';
import type { History, Item } from './history.ts';
import { appendedMessage, loopEvent, summaryOf } from './records.ts';
import { callsOf, dialectOf, resultParts, toWire, type Spoken } from './wire.ts';

/** What the program mends: it answers open calls, drops strays, doubles and blanks, and joins turns. */
const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-without-call',
  'result-displaced',
  'late-result',
  'duplicate-result',
  'duplicate-call-id',
  'blank-text',
  'empty-message',
];

export type Order = {
  readonly path: string;
  readonly history: History;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly system: string | undefined;
};

export async function buildActive(
  { path, history, provider, model, system }: Order,
  faults: FaultLog,
): Promise<Active> {
  const items = history.items();
  const places = items.flatMap((item) => item.places);
  const records = await rereadRecords(path, places, faults);
  const names = new Map<string, string>();
  let at = 0;
  const spoken = items.map((item) => {
    const held = records.slice(at, at + item.places.length).filter((record) => record !== undefined);
    at += item.places.length;
    for (const { id, name } of callNames(held)) names.set(id, name);
    return spokenBy(item, held, names);
  });
  return {
    dialect: dialectOf(provider),
    ...optional('model', model),
    ...optional('system', system),
    ...listed(toWire(spoken, dialectOf(provider))),
    absent: history.absentees.list(),
    copes: COPES,
  };
}

function callNames(records: readonly JsonObject[]): { readonly id: string; readonly name: string }[] {
  return records.flatMap((record) => {
    const event = loopEvent(record);
    const [id, name] = [textAt(event, 'toolCallId'), textAt(event, 'name')];
    return id === undefined || name === undefined ? [] : [{ id, name }];
  });
}

function spokenBy(item: Item, records: readonly JsonObject[], names: ReadonlyMap<string, string>): Spoken {
  const { places, role } = item;
  const [first] = records;
  if (role === 'summary') {
    return { role: 'user', parts: [{ type: 'text', text: summaryOf(first ?? {}) }], calls: [], places };
  }
  const message = first === undefined ? undefined : appendedMessage(first);
  if (message !== undefined) {
    const parts = listAt(message, 'content').filter(isObject);
    return { role, parts, calls: callsOf(message), ...optional('answers', item.answers), places };
  }
  const events = records.map(loopEvent).filter((event) => event !== undefined);
  if (role === 'tool') {
    const result = objectAt(events[0], 'result');
    const name = names.get(item.answers ?? '');
    const told = {
      ...optional('answers', item.answers),
      ...optional('name', name),
      isError: result?.['isError'] === true,
    };
    return { role, parts: resultParts(result, name), calls: [], ...told, places };
  }
  const parts = events.map((event) => objectAt(event, 'part')).filter((part) => part !== undefined);
  return { role, parts, calls: events.filter(({ type }) => type === 'tool.call'), places };
}
