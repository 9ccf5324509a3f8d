import { basename } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

const isStep = (value: unknown): boolean =>
  isObject(value) && ['action', 'observation'].some((key) => Object.hasOwn(value, key));

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  textAt(value, 'role') !== undefined &&
  (Object.hasOwn(value, 'agent') || Object.hasOwn(value, 'message_type'));

/** What the model saw (`history`), and what was done (`trajectory`). */
export const isTrajectory = (value: unknown): value is JsonObject =>
  isObject(value) &&
  (Array.isArray(value['trajectory']) || Array.isArray(value['history'])) &&
  (listAt(value, 'trajectory').some(isStep) || listAt(value, 'history').some(isMessage));

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  return (
    isTrajectory(whole) || (whole === undefined && /^\s*\{\s*"environment":\s*"[^"]*",\s*"trajectory":/.test(text))
  );
}

export const heads = ({ path, document }: Sample): Head[] => [
  { id: basename(path).replace(/\.traj(?:\.json)?$/, ''), ...optional('title', taskOf(document())) },
];

/** The task is what the user said last before the first answer. */
export function taskOf(whole: unknown): string | undefined {
  const history = listAt(whole, 'history').filter(isObject);
  const first = history.findIndex(({ role, is_demo }) => role === 'assistant' && is_demo !== true);
  const task = history.slice(0, first === -1 ? history.length : first).findLast(({ role }) => role === 'user');
  return titleFrom(textAt(task, 'content') ?? textAt(listAt(task, 'content')[0], 'text'));
}
