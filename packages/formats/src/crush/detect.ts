import { inMilliseconds } from '../date.ts';
import type { Sample } from '../files/sample.ts';
import { numberAt, optional, textAt } from '../json.ts';
import type { Head } from '../session.ts';

const TABLES = ['sessions', 'messages', 'files'] as const;

export const detect = ({ database }: Sample): boolean =>
  database !== undefined &&
  TABLES.every((table) => database.tables.has(table)) &&
  database.columns('messages').has('parts');

export function heads({ database }: Sample): Head[] {
  const rows = database?.rows('SELECT id, parent_session_id, title, updated_at FROM sessions') ?? [];
  return Array.from(rows, (row) => ({
    id: String(row['id']),
    ...optional('title', textAt(row, 'title') || undefined),
    ...optional('parent', textAt(row, 'parent_session_id')),
    ...optional('modified', inMilliseconds(numberAt(row, 'updated_at'))),
  }));
}
