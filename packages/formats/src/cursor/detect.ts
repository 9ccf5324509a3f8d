import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { textOfBlocks } from '../wire/plain-blocks.ts';

/** A message without an id and without a type: who says it stands beside it. */
export const isRecord = (value: JsonObject): boolean =>
  /^(?:user|assistant)$/.test(textAt(value, 'role') ?? '') &&
  Object.hasOwn(objectAt(value, 'message') ?? {}, 'content') &&
  !['uuid', 'type', 'parentId'].some((key) => Object.hasOwn(value, key));

export const detect = ({ head }: Sample): boolean => head.some(isRecord);

/** A transcript is named after its session; one of a subagent lies in the folder of its parent. */
export const idsOf = (path: string): Pick<Head, 'id' | 'parent'> => ({
  id: basename(path, '.jsonl'),
  ...(basename(dirname(path)) === 'subagents' ? { parent: basename(dirname(dirname(path))) } : {}),
});

export const heads = ({ path, head }: Sample): Head[] => [
  {
    ...idsOf(path),
    ...optional(
      'title',
      head.map(promptTitle).find((title) => title !== undefined),
    ),
  },
];

export const promptTitle = (record: JsonObject): string | undefined =>
  record['role'] === 'user'
    ? titleFrom(textOfBlocks(objectAt(record, 'message')?.['content']).replace(/<\/?user_query>/g, ''))
    : undefined;
