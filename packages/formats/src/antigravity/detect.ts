import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** A step of a conversation: who made it, and of what kind it is. */
export const isStep = (value: JsonObject): boolean =>
  typeof value['step_index'] === 'number' &&
  textAt(value, 'source') !== undefined &&
  textAt(value, 'type') !== undefined;

export const detect = ({ head }: Sample): boolean => head.some(isStep);

export const heads = ({ path, head }: Sample): Head[] => [
  {
    id: idOf(path),
    ...optional(
      'title',
      head.map(promptTitle).find((title) => title !== undefined),
    ),
  },
];

/** A transcript is known by the folder of its conversation. */
export const idOf = (path: string): string => {
  const logs = dirname(path);
  return basename(dirname(logs)) === '.system_generated' ? basename(dirname(dirname(logs))) : path;
};

export const promptTitle = (step: JsonObject): string | undefined =>
  step['type'] === 'USER_INPUT' ? titleFrom(promptOf(textAt(step, 'content') ?? '')) : undefined;

/** What the user said, without what the program put beside it. */
export const promptOf = (content: string): string =>
  (/<USER_REQUEST>(.*?)<\/USER_REQUEST>/s.exec(content)?.[1] ?? content).trim();
