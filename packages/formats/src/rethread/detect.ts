import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { frameOf } from './frames.ts';

/** What the first line of a log says of its session. */
export function headIn(text: string): JsonObject | undefined {
  const note = frameOf(text.slice(0, text.indexOf('\n') + 1 || text.length))?.note;
  return textAt(note, 'session') !== undefined && objectAt(note, 'about') !== undefined ? note : undefined;
}

export const detect = ({ database, text }: Sample): boolean =>
  database === undefined
    ? headIn(text) !== undefined || /^\["[0-9a-f]{16}",\d+,\d+,/.test(text)
    : database.columns('records').has('body') && database.columns('sessions').has('chain');

export function heads({ path, database, text }: Sample): Head[] {
  if (database === undefined) {
    const head = headIn(text);
    const title = textAt(head === undefined ? undefined : objectAt(head, 'about'), 'title');
    return [{ id: textAt(head, 'session') ?? basename(dirname(path)), ...optional('title', title) }];
  }
  return Array.from(database.rows('SELECT id, title, parent, updated_at FROM sessions'), (row) => {
    const time = Date.parse(textAt(row, 'updated_at') ?? '');
    return {
      id: String(row['id']),
      ...optional('title', textAt(row, 'title')),
      ...optional('parent', textAt(row, 'parent')),
      ...optional('modified', Number.isNaN(time) ? undefined : time),
    };
  });
}
