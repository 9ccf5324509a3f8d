import { basename } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** Words that the program asks its models to use. */
const OURS = /mswea_bash_command|(?:COMPLETE_TASK_AND_SUBMIT|MICRO_SWE_AGENT|MINI_SWE_AGENT)_FINAL_OUTPUT/;

/** A run: its messages alone, as the first versions wrote them, or with what became of it. */
export const messagesIn = (whole: unknown): readonly unknown[] | undefined => {
  const list = Array.isArray(whole) ? (whole as readonly unknown[]) : listAt(whole, 'messages');
  const isNamed = (textAt(whole, 'trajectory_format') ?? '').startsWith('mini-swe-agent');
  if (isNamed) return list;
  // Others borrow the words: a run that is no plain list says how it ended.
  if (isObject(whole) && objectAt(whole, 'info') === undefined) return undefined;
  const isPlain = list.length > 0 && list.every((each) => isObject(each) && textAt(each, 'role') !== undefined);
  return isPlain && list.slice(0, 8).some((each) => OURS.test(said(each as JsonObject))) ? list : undefined;
};

export const said = ({ content }: JsonObject): string => {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : []).map((part) => textAt(part, 'text') ?? '').join('');
};

export function detect({ text, document }: Sample): boolean {
  const whole = document();
  if (messagesIn(whole) !== undefined) return true;
  return whole === undefined && /^\s*\{[^[]*"trajectory_format":\s*"mini-swe-agent/.test(text);
}

export const heads = ({ path, document }: Sample): Head[] => [
  { id: basename(path).replace(/\.(?:traj\.)?json$/, ''), ...optional('title', taskOf(messagesIn(document()) ?? [])) },
];

export const taskOf = (messages: readonly unknown[]): string | undefined => {
  const task = messages.filter(isObject).find(({ role }) => role === 'user');
  return task === undefined ? undefined : titleFrom(said(task));
};
