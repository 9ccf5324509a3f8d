import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { promptTitle } from './records.ts';

const isHead = (record: JsonObject): boolean =>
  record['type'] === 'session_start' && textAt(record, 'id') !== undefined;

/** What the program prints for other programs: calls and results are records of their own. */
const isStreamed = (record: JsonObject): boolean =>
  (textAt(record, 'session_id') ?? textAt(record, 'sessionId')) !== undefined &&
  ((record['type'] === 'message' && textAt(record, 'text') !== undefined) ||
    ((record['type'] === 'tool_call' || record['type'] === 'tool_result') && !Object.hasOwn(record, 'uuid')) ||
    (record['type'] === 'completion' && Object.hasOwn(record, 'finalText')));

export const detect = ({ head }: Sample): boolean => head.some(isHead) || head.some(isStreamed);

export function heads({ path, head }: Sample): Head[] {
  const start = head.find(isHead);
  const streamed = head.map((record) => textAt(record, 'session_id') ?? textAt(record, 'sessionId')).find((id) => id);
  const prompt = head.map((record) => promptTitle(objectAt(record, 'message') ?? record)).find((title) => title);
  return [
    {
      id: textAt(start, 'id') ?? streamed ?? path,
      ...optional('title', textAt(start, 'sessionTitle') ?? textAt(start, 'title') ?? prompt),
      ...optional('cwd', textAt(start, 'cwd')),
    },
  ];
}
