import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import { promptIn } from '../pydantic-ai/detect.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

export const isSession = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textAt(value, 'session_id') !== undefined &&
  textAt(value, 'project_id') !== undefined &&
  Array.isArray(value['messages']);

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  return isSession(whole) || (whole === undefined && /^\s*\{[^[{]*"session_id":[^[{]*"project_id":/.test(text));
}

export const heads = ({ path, document }: Sample): Head[] => {
  const whole = document();
  return [
    {
      id: textAt(whole, 'session_id') ?? path,
      ...optional('title', titleOf(listAt(whole, 'messages').filter(isObject))),
      ...optional('cwd', textAt(whole, 'working_directory')),
    },
  ];
};

export const titleOf = (messages: readonly JsonObject[]): string | undefined =>
  messages.map((message) => promptIn(message) ?? plainPrompt(message)).find((title) => title !== undefined);

const plainPrompt = (message: JsonObject): string | undefined => {
  if (message['role'] !== 'user') return undefined;
  const { content } = message;
  return titleFrom(typeof content === 'string' ? content : textAt(listAt(message, 'content')[0], 'text'));
};
