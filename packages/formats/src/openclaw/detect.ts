import type { Sample } from '../files/sample.ts';
import { isObject, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import { heads as treeHeads, isEntry, titleOf } from '../pi/detect.ts';
import { isHeader } from '../pi/entries.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

const TABLES = ['transcript_events', 'session_windows'] as const;

const NAME = /openclaw|clawdbot|moltbot/i;

/** Trees of this tool look like those of pi, from which it was made: what it notes beside messages names it. */
function isOurs(entry: JsonObject): boolean {
  const { message, content: _, ...rest } = entry;
  if (isHeader(entry) && typeof entry['version'] === 'string') return true;
  return NAME.test(JSON.stringify(rest)) || (isObject(message) && Object.hasOwn(message, '__openclaw'));
}

/** The first version of all kept messages alone on their lines. */
export const isBare = (record: JsonObject): boolean =>
  Object.keys(record).every((key) => ['role', 'content', 'timestamp'].includes(key)) &&
  /^(?:user|assistant)$/.test(textAt(record, 'role') ?? '') &&
  textAt(record, 'timestamp') !== undefined &&
  Object.hasOwn(record, 'content');

export function detect({ path, head, tail, database }: Sample): boolean {
  if (database !== undefined) return TABLES.every((table) => database.tables.has(table));
  const [first] = head;
  if (first === undefined || Object.hasOwn(first, 'payload')) return false;
  if (head.every(isBare)) return true;
  const isTree = isHeader(first) || head.some(isEntry);
  return isTree && ([...head, ...tail].some(isOurs) || /[\\/]\.(?:openclaw|clawdbot|moltbot)[\\/]/.test(path));
}

export function heads(sample: Sample): Head[] {
  const { path, head, database } = sample;
  if (database === undefined) {
    if (!head.every(isBare)) return treeHeads(sample);
    return [{ id: path, ...optional('title', titleFrom(textAt(head[0], 'content'))) }];
  }
  const found: Head[] = [];
  const sql = `SELECT session_id, parent_session_key, display_name, updated_at FROM session_windows`;
  for (const row of database.rows(sql)) {
    const id = String(row['session_id']);
    const first = `SELECT event_json FROM transcript_events WHERE session_id = ? ORDER BY seq LIMIT 20`;
    const events = Array.from(database.rows(first, id), ({ event_json }) => parseJson(String(event_json))).filter(
      isObject,
    );
    found.push({
      id,
      ...optional('title', textAt(row, 'display_name') ?? titleOf(events)),
      ...optional('cwd', textAt(events.find(isHeader), 'cwd')),
      ...optional('parent', textAt(row, 'parent_session_key')),
      ...optional('modified', numberAt(row, 'updated_at')),
    });
  }
  return found;
}

/** Whether an entry only says that a result is missing: it is sent in other words. */
export const isStandIn = (entry: JsonObject): boolean =>
  objectAt(objectAt(entry, 'message'), 'details')?.['openclawSyntheticMissingToolResult'] === true;
