import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isDocument, isEvent, isStart } from './records.ts';

export function detect({ head, text, document }: Sample): boolean {
  if (head.some(isStart) || head.filter(isEvent).some((event) => /^(?:user|assistant)\.message$/.test(typeOf(event)))) {
    return true;
  }
  const whole = document();
  return isDocument(whole) || (whole === undefined && /^\s*\{\s*"sessionId":[^{}[\]]*"chatMessages":/.test(text));
}

const typeOf = (event: JsonObject): string => textAt(event, 'type') ?? '';

export function heads({ path, head, document }: Sample): Head[] {
  const whole = document();
  if (isDocument(whole)) {
    const prompt = listAt(whole, 'chatMessages')
      .filter(isObject)
      .find(({ role }) => role === 'user');
    return [{ id: textAt(whole, 'sessionId') ?? path, ...optional('title', titleFrom(textAt(prompt, 'content'))) }];
  }
  const data = objectAt(head.find(isStart), 'data');
  const prompt = head.find((event) => typeOf(event) === 'user.message');
  return [
    {
      id: textAt(data, 'sessionId') ?? folderName(path),
      ...optional('title', promptTitle(prompt)),
      ...optional('cwd', textAt(objectAt(data, 'context'), 'cwd')),
    },
  ];
}

/** A session is known by its folder where its first event is gone. */
export const folderName = (path: string): string =>
  basename(path) === 'events.jsonl' ? basename(dirname(path)) : path;

export const promptTitle = (event: JsonObject | undefined): string | undefined => {
  const data = objectAt(event, 'data');
  return titleFrom(textAt(data, 'content') || textAt(data, 'transformedContent'));
};
