import type { Sample } from '../files/sample.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { textOfBlocks } from '../wire/plain-blocks.ts';

/** A thread, as the program keeps it and exports it. */
export const isThread = (value: unknown): value is JsonObject =>
  isObject(value) &&
  typeof value['v'] === 'number' &&
  (textAt(value, 'id') ?? '').startsWith('T-') &&
  Array.isArray(value['messages']);

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  return isThread(whole) || (whole === undefined && /^\s*\{\s*"v":\s*\d+,\s*"id":\s*"T-/.test(text));
}

export function heads({ path, document }: Sample): Head[] {
  const whole = document();
  return [
    {
      id: textAt(whole, 'id') ?? path,
      ...optional('title', textAt(whole, 'title') ?? promptTitle(listAt(whole, 'messages').filter(isObject))),
      ...optional('cwd', folderOf(whole)),
    },
  ];
}

export const folderOf = (thread: unknown): string | undefined => {
  const initial = isObject(thread) ? objectAt(objectAt(thread, 'env'), 'initial') : undefined;
  const [tree] = listAt(initial, 'trees');
  return textAt(initial, 'cwd') ?? textAt(tree, 'uri')?.replace(/^file:\/\//, '');
};

export const promptTitle = (messages: readonly JsonObject[]): string | undefined =>
  titleFrom(textOfBlocks(messages.find(({ role }) => role === 'user')?.['content']));
