import { basename, dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isHistory, isRooHistory, isScreen, isSession, promptOf } from './records.ts';

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  if (isSession(whole) || isScreen(whole)) return true;
  if (isHistory(whole)) return !isRooHistory(whole);
  if (whole !== undefined) return false;
  return /^\s*\{\s*"version":\s*\d+,\s*"updated_at":[^{}[\]]*"agent":[^{}[\]]*"sessionId":/.test(text);
}

export function heads({ path, document }: Sample): Head[] {
  const whole = document();
  const messages = isSession(whole) ? listAt(whole, 'messages') : isHistory(whole) ? whole : [];
  return [
    {
      id: idOf(path, whole),
      ...optional(
        'title',
        titleFrom(
          messages
            .filter(isObject)
            .map(promptOf)
            .find((prompt) => prompt !== undefined) ?? said(whole),
        ),
      ),
    },
  ];
}

/** A task is known by its folder: nothing in its files names it. */
export const idOf = (path: string, whole: unknown): string =>
  textAt(whole, 'sessionId') ??
  (/^(?:api_conversation_history|ui_messages|claude_messages)\.json$/.test(basename(path))
    ? basename(dirname(path))
    : path);

const said = (whole: unknown): string | undefined => (isScreen(whole) ? firstSaid(whole) : undefined);

export const firstSaid = (screen: readonly JsonObject[]): string | undefined =>
  textAt(
    screen.find(({ say }) => say === 'task' || say === 'text'),
    'text',
  );
