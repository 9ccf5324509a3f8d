import { heads as crushHeads } from '../crush/detect.ts';
import type { Sample } from '../files/sample.ts';
import { numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { isExport, isMessage, isStoredSession } from './records.ts';

const TABLES = ['session', 'message', 'part'] as const;

/** The first opencode, which became Crush, kept its sessions as Crush does. */
export const isFirstOpencode = ({ path, database }: Sample): boolean =>
  path.endsWith('opencode.db') &&
  database?.columns('messages').has('parts') === true &&
  database.tables.has('sessions');

export function detect(sample: Sample): boolean {
  const { database, head, document } = sample;
  if (database !== undefined) {
    if (isFirstOpencode(sample)) return true;
    const isFirst = TABLES.every((table) => database.tables.has(table)) && database.columns('part').has('message_id');
    return isFirst || (database.tables.has('session_message') && database.tables.has('session_v2'));
  }
  const [first] = head;
  if (first !== undefined && isMessage(first)) return true;
  const whole = document();
  return isExport(whole) || isStoredSession(whole);
}

export function heads(sample: Sample): Head[] {
  const { path, database, head, document } = sample;
  if (isFirstOpencode(sample)) return crushHeads(sample);
  if (database !== undefined) return databaseHeads(database);
  const whole = document();
  if (isExport(whole)) return [headOf(objectAt(whole, 'info') ?? {}, path)];
  if (isStoredSession(whole)) return [headOf(whole, path)];
  return [{ id: textAt(objectAt(head[0], 'info'), 'sessionID') ?? path }];
}

function databaseHeads(database: NonNullable<Sample['database']>): Head[] {
  const heads: Head[] = [];
  const known = new Set<unknown>();
  for (const table of ['session_v2', 'session']) {
    if (!database.tables.has(table)) continue;
    for (const row of database.rows(`SELECT id, title, directory, parent_id, time_updated FROM ${table}`)) {
      const time = { updated: row['time_updated'] };
      if (!known.has(row['id']))
        heads.push(headOf({ ...row, parentID: row['parent_id'] ?? undefined, time }, database.path));
      known.add(row['id']);
    }
  }
  return heads;
}

const headOf = (session: JsonObject, path: string): Head => ({
  id: textAt(session, 'id') ?? path,
  ...optional('title', textAt(session, 'title')),
  ...optional('cwd', textAt(session, 'directory')),
  ...optional('parent', textAt(session, 'parentID')),
  ...optional('isSubagent', textAt(session, 'parentID') === undefined ? undefined : true),
  ...optional('modified', numberAt(objectAt(session, 'time'), 'updated')),
});
