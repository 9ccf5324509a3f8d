import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isNewEvent, isOldEvent, isState } from './events.ts';

/** The events in a document: alone, or in the history of a run. */
export function eventsIn(
  whole: unknown,
): { readonly list: readonly JsonObject[]; readonly pointer: string } | undefined {
  const list = Array.isArray(whole) ? (whole as readonly unknown[]) : listAt(whole, 'history');
  const events = list.filter(isObject);
  const isHistory =
    events.length > 0 && (events.every((each) => isOldEvent(each)) || events.every((each) => isNewEvent(each)));
  return isHistory ? { list: events, pointer: Array.isArray(whole) ? '' : '/history' } : undefined;
}

const isEvent = (value: unknown): boolean => isOldEvent(value) || isNewEvent(value);

export function detect({ head, document }: Sample): boolean {
  const whole = document();
  if (whole === undefined) return head.length > 1 && head.every(isEvent);
  return isState(whole) || isEvent(whole) || eventsIn(whole) !== undefined;
}

export function heads({ path, document }: Sample): Head[] {
  const whole = document();
  const events = eventsIn(whole)?.list ?? (isObject(whole) && isEvent(whole) ? [whole] : []);
  return [
    {
      id: textAt(isState(whole) ? whole : undefined, 'id') ?? idOf(path),
      ...optional(
        'title',
        events.map(promptIn).find((title) => title !== undefined),
      ),
      ...optional('cwd', isState(whole) ? textAt(objectAt(whole, 'workspace'), 'working_dir') : undefined),
    },
  ];
}

export const idOf = (path: string): string =>
  basename(dirname(path)) === 'events' ? basename(dirname(dirname(path))) : path;

export function promptIn(event: JsonObject): string | undefined {
  if (event['source'] !== 'user') return undefined;
  const message = objectAt(event, 'llm_message');
  const said = listAt(message, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
  return titleFrom(said || textAt(objectAt(event, 'args'), 'content') || textAt(event, 'message'));
}
