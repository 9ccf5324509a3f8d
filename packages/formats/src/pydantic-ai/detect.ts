import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** A request to a model, or its response, in the words of the library. */
export const isExchange = (value: unknown): value is JsonObject =>
  isObject(value) &&
  /^(?:request|response)$/.test(textAt(value, 'kind') ?? '') &&
  listAt(value, 'parts').every((part) => textAt(part, 'part_kind') !== undefined) &&
  Array.isArray(value['parts']);

export const isHistory = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isExchange);

export function detect({ database, head, text, document }: Sample): boolean {
  if (database !== undefined) return database.columns('messages').has('message_list');
  const whole = document();
  if (isHistory(whole) || (head.length > 0 && head.every(isExchange))) return true;
  return whole === undefined && /^\s*\[\s*\{\s*"parts":\s*\[\s*\{[^[\]]*"part_kind":/.test(text);
}

export function heads({ path, head, document }: Sample): Head[] {
  const whole = document();
  return [
    {
      id: path,
      ...optional(
        'title',
        (isHistory(whole) ? whole : head).map(promptIn).find((title) => title !== undefined),
      ),
    },
  ];
}

export function promptIn(message: JsonObject): string | undefined {
  const part = listAt(message, 'parts').find((each) => textAt(each, 'part_kind') === 'user-prompt');
  return titleFrom(
    textAt(part, 'content') ??
      listAt(part, 'content')
        .find((each) => typeof each === 'string')
        ?.toString(),
  );
}
