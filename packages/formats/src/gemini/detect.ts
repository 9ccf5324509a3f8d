import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isChange, isCheckpoint, isHeader, isMessage, textOf, unsentReason } from './records.ts';

export function detect({ head, text, document }: Sample): boolean {
  const [first, ...rest] = head;
  if (first !== undefined && (isHeader(first) || isChange(first))) return true;
  // The head may be gone: messages beside changes are known all the same.
  if (rest.some(isChange) && [first, ...rest].some((value) => value !== undefined && isMessage(value))) return true;
  const whole = document();
  if (isHeader(whole) || isCheckpoint(whole)) return true;
  return whole === undefined && /^\s*\{\s*"sessionId":[^{}[\]]*"projectHash":/.test(text);
}

export function heads({ path, head, tail, document }: Sample): Head[] {
  const whole = document();
  const isWhole = isHeader(whole);
  const header = isWhole ? whole : head.find(isHeader);
  const messages = isWhole ? listAt(whole, 'messages') : [...head, ...tail].flatMap(messagesIn);
  return [
    {
      id: textAt(header, 'sessionId') ?? path,
      ...optional('title', titleOf(messages)),
      ...optional('cwdHash', textAt(header, 'projectHash')),
      ...parentOf(path, header),
      ...optional('isSubagent', textAt(header, 'kind') === 'subagent' || undefined),
    },
  ];
}

const messagesIn = (record: JsonObject): readonly unknown[] =>
  isMessage(record) ? [record] : listAt(record['$set'], 'messages');

/** Subagents have a folder with the id of the session that started them. */
export const parentOf = (path: string, header: JsonObject | undefined): { readonly parent?: string } =>
  optional('parent', textAt(header, 'kind') === 'subagent' ? basename(dirname(path)) : undefined);

/** The first prompt that was meant for the model. */
export function titleOf(messages: readonly unknown[]): string | undefined {
  for (const message of messages) {
    const value = message as JsonObject;
    if (textAt(value, 'type') !== 'user' || unsentReason(value) !== undefined) continue;
    const title = titleFrom(textOf(value['content']));
    if (title !== undefined) return title;
  }
  return undefined;
}
