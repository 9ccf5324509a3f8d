import type { Dialect } from '@rethread/core';

import { createAbsentees, type Absentees } from '../absentees.ts';
import type { FaultLog } from '../fault.ts';
import { rereadRecords } from '../files/log-file.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Active, RuleId } from '../session.ts';
import { listed } from '../wire/wire-message.ts';
import type { Chain } from './chain.ts';
import { compressedHistory, messageOf } from './records.ts';
import { toWire, type Content } from './wire.ts';

/** What the program mends: it answers open calls with errors, drops strays and doubles, and joins turns. */
const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-without-call',
  'duplicate-result',
  'result-displaced',
  'late-result',
  'same-role-run',
  'first-message-not-user',
  'empty-message',
];

type Order = {
  readonly path: string;
  readonly chain: Chain;
  readonly dialect: Dialect;
  readonly model: string | undefined;
  readonly absentees: Absentees;
};

/** Makes the messages of the next request from the records of the chain. */
export async function buildActive(
  { path, chain, dialect, model, absentees }: Order,
  faults: FaultLog,
): Promise<Active> {
  const places = chain.nodes.map(({ place }) => place);
  const records = await rereadRecords(path, places, faults);
  const contents: Content[] = [];
  let before: string | undefined;
  for (const [index, node] of chain.nodes.entries()) {
    const record = records[index];
    if (record === undefined) continue;
    const joins = record['subtype'] === 'mid_turn_user_message' || node.id === before;
    for (const each of contentsOf(record, node.place)) addContent(contents, each, joins);
    before = node.id;
  }
  const all = createAbsentees();
  for (const { reason, characters, messages } of absentees.list()) all.add(reason, characters, messages);
  for (const [{ characters }, reason] of chain.absent) all.add(reason, characters);
  return {
    dialect,
    ...optional('model', model),
    ...listed(toWire(contents, dialect)),
    absent: all.list(),
    copes: COPES,
  };
}

function contentsOf(record: JsonObject, place: Place): Content[] {
  const held = compressedHistory(record) ?? [messageOf(record)];
  return held.filter(isObject).map((content) => ({
    role: textAt(content, 'role') === 'model' ? 'model' : 'user',
    parts: listAt(content, 'parts').filter(isObject),
    places: [place],
  }));
}

/** What a user says while the model works belongs to the message before it; so do the pieces of a record. */
function addContent(contents: Content[], content: Content, joins: boolean): void {
  const last = contents.at(-1);
  if (!joins || last?.role !== content.role) contents.push(content);
  else {
    const parts = [...last.parts, ...content.parts];
    contents[contents.length - 1] = { role: last.role, parts, places: [...last.places, ...content.places] };
  }
}
