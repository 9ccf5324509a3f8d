import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { textOf } from '../gemini/records.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isRecord } from './records.ts';

/** The chain of another tool with messages of the Gemini API in it. */
const isOurs = (record: JsonObject): boolean =>
  isRecord(record) &&
  (Array.isArray(objectAt(record, 'message')?.['parts']) ||
    (record['type'] === 'system' && objectAt(record, 'systemPayload') !== undefined));

export const detect = ({ head, tail }: Sample): boolean => [...head, ...tail].some(isOurs);

export function heads({ path, head, tail }: Sample): Head[] {
  const records = [...head, ...tail].filter(isRecord);
  const latest = (key: string): string | undefined =>
    records.map((record) => textAt(record, key)).findLast((value) => value !== undefined);
  return [
    {
      id: textAt(records[0], 'sessionId') ?? path,
      ...optional('title', records.map(customTitle).findLast((title) => title !== undefined) ?? promptTitle(records)),
      ...optional('cwd', latest('cwd')),
      ...optional(
        'parent',
        records.map(parentOf).find((parent) => parent !== undefined),
      ),
    },
  ];
}

export const customTitle = (record: JsonObject): string | undefined =>
  record['subtype'] === 'custom_title' ? textAt(objectAt(record, 'systemPayload'), 'customTitle') : undefined;

/** The session that this one was forked from, or started by. */
export const parentOf = (record: JsonObject): string | undefined =>
  textAt(objectAt(record, 'forkedFrom'), 'sessionId') ??
  (record['subtype'] === 'parent_session' ? textAt(objectAt(record, 'systemPayload'), 'parentSessionId') : undefined);

export function promptTitle(records: readonly JsonObject[]): string | undefined {
  const prompt = records.find(({ type, subtype }) => type === 'user' && subtype === undefined);
  return titleFrom(textOf(objectAt(prompt, 'message')?.['parts']));
}
