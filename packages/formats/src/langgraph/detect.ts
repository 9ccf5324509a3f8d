import { detectDialect } from '@rethread/core';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { decodeValue, messagesIn } from './checkpoint.ts';

/** Messages of LangChain in a file. */
export function listIn(whole: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(whole) ? (whole as readonly unknown[]) : listAt(whole, 'messages');
  return list.length > 0 && detectDialect(list) === 'langchain' ? list : undefined;
}

export const detect = ({ database, document }: Sample): boolean =>
  database === undefined
    ? listIn(document()) !== undefined
    : database.columns('checkpoints').has('checkpoint_ns') && database.columns('checkpoints').has('checkpoint');

/** The newest state of a thread, and not of a graph inside of it. */
export const NEWEST = `SELECT * FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''
  ORDER BY checkpoint_id DESC LIMIT 1`;

export function heads({ path, database, document }: Sample): Head[] {
  if (database === undefined) return [{ id: path, ...optional('title', titleOf(listIn(document()) ?? [])) }];
  const found: Head[] = [];
  for (const { thread_id: id } of database.rows('SELECT DISTINCT thread_id FROM checkpoints')) {
    const [row] = database.rows(NEWEST, String(id));
    const checkpoint = row === undefined ? undefined : decodeValue(row['type'], row['checkpoint']);
    const time = Date.parse(textAt(checkpoint, 'ts') ?? '');
    found.push({
      id: String(id),
      ...optional('title', titleOf(messagesIn(checkpoint))),
      ...optional('modified', Number.isNaN(time) ? undefined : time),
    });
  }
  return found;
}

/** The first words of a human, in whichever form a message is kept. */
export const titleOf = (messages: readonly unknown[]): string | undefined =>
  messages
    .filter(isObject)
    .map(promptIn)
    .find((title) => title !== undefined);

function promptIn(message: JsonObject): string | undefined {
  const isHuman = message['type'] === 'human' || listAt(message, 'id').at(-1) === 'HumanMessage';
  const held = objectAt(message, 'data') ?? objectAt(message, 'kwargs') ?? message;
  return isHuman ? titleFrom(textAt(held, 'content') ?? textAt(listAt(held, 'content')[0], 'text')) : undefined;
}
