import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

export const isTrajectory = (value: unknown): value is JsonObject =>
  isObject(value) && (textAt(value, 'schema_version') ?? '').startsWith('ATIF-') && Array.isArray(value['steps']);

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  return isTrajectory(whole) || (whole === undefined && /^\s*\{[^[{]*"schema_version":\s*"ATIF-/.test(text));
}

export const heads = ({ path, document }: Sample): Head[] => [
  {
    id: textAt(document(), 'session_id') ?? textAt(document(), 'trajectory_id') ?? path,
    ...optional('title', taskOf(document())),
  },
];

export const taskOf = (whole: unknown): string | undefined => {
  const step = listAt(whole, 'steps').find((each) => textAt(each, 'source') === 'user');
  return step === undefined ? undefined : titleFrom(messageText(step));
};

/** A message is a text, or since 1.6 a list of parts. */
export const messageText = (step: unknown): string =>
  textAt(step, 'message') ??
  listAt(step, 'message')
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
