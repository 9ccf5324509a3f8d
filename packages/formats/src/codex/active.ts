import type { FaultLog } from '../fault.ts';
import { rereadRecords } from '../files/log-file.ts';
import { isObject, listAt, optional, type JsonObject } from '../json.ts';
import type { LinePlace } from '../place.ts';
import type { Active, RuleId } from '../session.ts';
import type { History, Item } from './history.ts';
import { readRecord } from './records.ts';

type Order = {
  readonly history: History;
  readonly system: string | undefined;
  readonly model: string | undefined;
  /** The value of a file that is one document. */
  readonly document: unknown;
};

/** What Codex mends in memory before each request: an open call is answered with "aborted". */
const COPES: readonly RuleId[] = ['call-without-result', 'result-without-call'];

/** Makes the items of the next request from the records of the history. */
export async function buildActive({ history, system, model, document }: Order, faults: FaultLog): Promise<Active> {
  const items = history.items();
  const payloads = await payloadsOf(items, document, faults);
  const made = items.flatMap((item, index) => {
    const payload = payloads[index];
    return payload === undefined ? [] : [{ message: item.make(payload), place: item.place }];
  });
  return {
    dialect: 'openai-responses',
    ...optional('model', model),
    messages: made.map(({ message }) => message),
    places: made.map(({ place }) => [place]),
    ...optional('system', system),
    absent: history.absentees.list(),
    copes: COPES,
  };
}

async function payloadsOf(
  items: readonly Item[],
  document: unknown,
  faults: FaultLog,
): Promise<(JsonObject | undefined)[]> {
  const payloads = new Array<JsonObject | undefined>(items.length);
  const byFile = Map.groupBy(items.keys(), (index) => items[index]?.place.kind === 'line' && fileOf(items[index]));
  for (const [file, indexes] of byFile) {
    if (file === false) {
      for (const index of indexes) payloads[index] = itemAt(document, items[index]);
      continue;
    }
    const places = indexes.flatMap((index) => linePlace(items[index]) ?? []);
    const values = await rereadRecords(file, places, faults);
    for (const [at, index] of indexes.entries()) {
      const value = values[at];
      if (value !== undefined) payloads[index] = readRecord(value).payload;
    }
  }
  return payloads;
}

const linePlace = (item: Item | undefined): LinePlace | undefined =>
  item?.place.kind === 'line' ? item.place : undefined;

const fileOf = (item: Item): string => linePlace(item)?.file ?? '';

function itemAt(document: unknown, item: Item | undefined): JsonObject | undefined {
  const pointer = item?.place.kind === 'value' ? item.place.pointer : '';
  const value = listAt(document, 'items')[Number(pointer.split('/').at(-1))];
  return isObject(value) ? value : undefined;
}
