import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** What the first line of a log says of its session. */
export const isHead = (value: JsonObject): boolean =>
  textAt(value, 'working_dir') !== undefined &&
  (Object.hasOwn(value, 'message_count') || Object.hasOwn(value, 'description'));

export const isMessage = (value: JsonObject): boolean =>
  /^(?:user|assistant)$/.test(textAt(value, 'role') ?? '') &&
  typeof value['created'] === 'number' &&
  Array.isArray(value['content']);

/** What `goose session export` writes. */
export const isExport = (value: unknown): value is JsonObject =>
  isObject(value) && textAt(value, 'working_dir') !== undefined && Array.isArray(value['conversation']);

export function detect({ database, head, document }: Sample): boolean {
  if (database !== undefined)
    return database.tables.has('sessions') && database.columns('messages').has('content_json');
  const isLog = head.some(isMessage) && (head.some(isHead) || head.some(hasCalls));
  return isLog || isExport(document());
}

const hasCalls = (value: JsonObject): boolean =>
  listAt(value, 'content').some((part) => /^tool(?:Request|Response)$/.test(textAt(part, 'type') ?? ''));

export function heads({ path, database, head, document }: Sample): Head[] {
  if (database === undefined) {
    const whole = document();
    const first = isExport(whole) ? whole : head.find(isHead);
    return [
      {
        id: textAt(first, 'id') ?? path.replace(/^.*[\\/]|\.jsonl$/g, ''),
        ...optional('title', textAt(first, 'description') || promptTitle(head.filter(isMessage))),
        ...optional('cwd', textAt(first, 'working_dir')),
      },
    ];
  }
  return Array.from(database.rows('SELECT * FROM sessions'), (row) => ({
    id: String(row['id']),
    ...optional('title', textAt(row, 'description') || textAt(row, 'name') || undefined),
    ...optional('cwd', textAt(row, 'working_dir')),
    ...optional('modified', timeOf(textAt(row, 'updated_at'))),
  }));
}

/** SQLite writes times in UTC, without saying so. */
const timeOf = (text: string | undefined): number | undefined => {
  const time = Date.parse(`${text?.replace(' ', 'T') ?? ''}Z`);
  return Number.isNaN(time) ? undefined : time;
};

export const promptTitle = (messages: readonly JsonObject[]): string | undefined => {
  const prompt = messages.find(({ role }) => role === 'user');
  return titleFrom(
    listAt(prompt, 'content')
      .map((part) => textAt(part, 'text') ?? '')
      .join(''),
  );
};
