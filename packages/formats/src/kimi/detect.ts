import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { appendedMessage, isHeader, loopEvent, textOf } from './records.ts';

const isOurs = (record: JsonObject): boolean =>
  isHeader(record) ||
  ((appendedMessage(record) ?? loopEvent(record)) !== undefined && typeof record['time'] === 'number');

export const detect = ({ head, tail }: Sample): boolean => [...head, ...tail].some(isOurs);

export function heads({ path, head }: Sample): Head[] {
  const cwd = head.map((record) => textAt(objectAt(record, 'environmentDisclosure'), 'cwd')).find((each) => each);
  return [{ ...idsOf(path), ...optional('title', titleOf(head)), ...optional('cwd', cwd) }];
}

/** The log of a session does not name it: its folder does. Each agent has a log beside the first one. */
export function idsOf(path: string): Pick<Head, 'id' | 'parent'> {
  const agent = dirname(path);
  const session = basename(dirname(dirname(agent)));
  if (basename(dirname(agent)) !== 'agents') return { id: path };
  return basename(agent) === 'main' ? { id: session } : { id: `${session}/${basename(agent)}`, parent: session };
}

export function titleOf(records: readonly JsonObject[]): string | undefined {
  const prompts = records.map(appendedMessage).filter((message) => textAt(message, 'role') === 'user');
  const own = prompts.find((message) => (objectAt(message, 'origin')?.['kind'] ?? 'user') === 'user');
  return titleFrom(textOf(own?.['content']));
}
