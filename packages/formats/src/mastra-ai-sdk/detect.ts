import { detectDialect, type Dialect } from '@rethread/core';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** Messages of the AI SDK in a file: those of a chat, or those of a model. */
export function messagesIn(
  whole: unknown,
): { readonly list: readonly unknown[]; readonly dialect: Dialect } | undefined {
  const list = Array.isArray(whole) ? (whole as readonly unknown[]) : listAt(whole, 'messages');
  const dialect = list.length === 0 ? undefined : detectDialect(list);
  return dialect === 'ai-sdk-ui' || dialect === 'ai-sdk-model' ? { list, dialect } : undefined;
}

export const detect = ({ database, document }: Sample): boolean =>
  database === undefined ? messagesIn(document()) !== undefined : database.columns('mastra_messages').has('thread_id');

export function heads({ path, database, document }: Sample): Head[] {
  if (database === undefined) {
    const { list = [] } = messagesIn(document()) ?? {};
    return [
      {
        id: path,
        ...optional(
          'title',
          list
            .filter(isObject)
            .map(promptIn)
            .find((title) => title !== undefined),
        ),
      },
    ];
  }
  const titles = new Map<string, string>();
  if (database.tables.has('mastra_threads')) {
    for (const row of database.rows('SELECT id, title FROM mastra_threads'))
      titles.set(String(row['id']), textAt(row, 'title') ?? '');
  }
  const threads = 'SELECT thread_id, max(createdAt) AS updated FROM mastra_messages GROUP BY thread_id';
  return Array.from(database.rows(threads), (row) => {
    const id = String(row['thread_id']);
    const time = Date.parse(textAt(row, 'updated') ?? '');
    const first = `SELECT role, content FROM mastra_messages WHERE thread_id = ? AND role = 'user'
      ORDER BY createdAt LIMIT 1`;
    const [prompt] = titles.get(id) ? [] : database.rows(first, id);
    return {
      id,
      ...optional('title', titles.get(id) || (prompt === undefined ? undefined : promptIn(unpacked(prompt)))),
      ...optional('modified', Number.isNaN(time) ? undefined : time),
    };
  });
}

/** A row as a message of a chat: its parts are in the JSON of its content, in a format that is numbered. */
export function unpacked(row: JsonObject): JsonObject {
  const { content, ...rest } = row;
  const held = typeof content === 'string' ? parseJson(content) : content;
  if (isObject(held)) return { ...rest, ...held };
  return {
    ...rest,
    parts: typeof held === 'string' ? [{ type: 'text', text: held }] : Array.isArray(held) ? held : [],
  };
}

export const promptIn = (message: JsonObject): string | undefined => {
  if (message['role'] !== 'user') return undefined;
  const texts = [...listAt(message, 'parts'), ...listAt(message, 'content')].map((part) => textAt(part, 'text') ?? '');
  return titleFrom(texts.join('') || textAt(message, 'content'));
};
