import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isHeader, textOfContent } from './entries.ts';

/** Entries of the tree that every version since the second has, whatever became of the header. */
export const isEntry = (value: JsonObject): boolean =>
  Object.hasOwn(value, 'parentId') &&
  (value['type'] === 'model_change' || typeof objectAt(value, 'message')?.['role'] === 'string');

export function detect({ head }: Sample): boolean {
  const [first] = head;
  if (first === undefined || Object.hasOwn(first, 'payload')) return false;
  return isHeader(first) ? Object.hasOwn(first, 'cwd') || Object.hasOwn(first, 'version') : head.some(isEntry);
}

export function heads({ path, head, tail }: Sample): Head[] {
  const entries = [...head, ...tail];
  const header = head.find(isHeader);
  return [
    {
      id: textAt(header, 'id') ?? path,
      ...optional('title', titleOf(entries)),
      ...optional('cwd', textAt(header, 'cwd')),
      ...optional('parent', textAt(header, 'parentSession')),
    },
  ];
}

/** The name that was given last, or else the first prompt. */
export function titleOf(entries: readonly JsonObject[]): string | undefined {
  const named = entries.findLast((entry) => entry['type'] === 'session_info' && textAt(entry, 'name') !== undefined);
  const prompt = entries.find((entry) => objectAt(entry, 'message')?.['role'] === 'user');
  return titleFrom(textAt(named, 'name') ?? textOfContent(objectAt(prompt, 'message')?.['content']));
}
