import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

export const detect = ({ database }: Sample): boolean =>
  database !== undefined &&
  database.tables.has('agent_sessions') &&
  database.columns('agent_messages').has('message_data');

export function heads({ database }: Sample): Head[] {
  const found: Head[] = [];
  for (const row of database?.rows('SELECT session_id, updated_at FROM agent_sessions') ?? []) {
    const id = String(row['session_id']);
    const sql = 'SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id LIMIT 20';
    const items = Array.from(database?.rows(sql, id) ?? [], ({ message_data }) => parseJson(String(message_data)));
    const time = Date.parse(`${String(row['updated_at']).replace(' ', 'T')}Z`);
    found.push({
      id,
      ...optional(
        'title',
        items
          .filter(isObject)
          .map(promptIn)
          .find((title) => title !== undefined),
      ),
      ...optional('modified', Number.isNaN(time) ? undefined : time),
    });
  }
  return found;
}

export const promptIn = (item: JsonObject): string | undefined => {
  if (item['role'] !== 'user') return undefined;
  return titleFrom(textAt(item, 'content') ?? textAt(listAt(item, 'content')[0], 'text'));
};
