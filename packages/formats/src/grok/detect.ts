import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isChatRow, updateIn } from './records.ts';

/** Rows of the derived log look like much else: some of them are kept by no other tool. */
const isOurRow = (value: JsonObject): boolean =>
  isChatRow(value) &&
  ['model_fingerprint', 'prompt_index', 'synthetic_reason', 'model_id', 'encrypted_content'].some((key) =>
    Object.hasOwn(value, key),
  );

export const detect = ({ head }: Sample): boolean =>
  head.some((value) => updateIn(value) !== undefined) || (head.every(isChatRow) && head.some(isOurRow));

export const heads = ({ path, head }: Sample): Head[] => [
  {
    id: idOf(path, head),
    ...optional(
      'title',
      head.map(promptTitle).find((title) => title !== undefined),
    ),
  },
];

export const idOf = (path: string, records: readonly JsonObject[]): string =>
  records.map((record) => textAt(objectAt(record, 'params'), 'sessionId')).find((id) => id !== undefined) ??
  (/^(?:updates|chat_history)\.jsonl$/.test(basename(path)) ? basename(dirname(path)) : path);

export function promptTitle(record: JsonObject): string | undefined {
  const update = updateIn(record);
  if (textAt(update, 'sessionUpdate') === 'user_message_chunk')
    return titleFrom(textAt(objectAt(update, 'content'), 'text'));
  if (record['type'] !== 'user' || Object.hasOwn(record, 'synthetic_reason')) return undefined;
  const { content } = record;
  return titleFrom(
    typeof content === 'string'
      ? content
      : listAt(record, 'content')
          .map((part) => textAt(part, 'text') ?? '')
          .join(''),
  );
}
