import { detectDialect, type Dialect } from '@rethread/core';

import type { Sample } from '../files/sample.ts';
import { isObject, listAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

/** The messages of a request or a dump: where they stand, and in which words. */
export type Found = {
  readonly list: readonly unknown[];
  readonly pointer: string;
  readonly dialect: Dialect;
  readonly body?: JsonObject;
};

const FIELDS = ['messages', 'input', 'contents', 'traj', 'history', 'conversation'];

/** Finds the messages of a document: it is a list of them, a whole request, or many of these in a list. */
export function findMessages(whole: unknown, session?: string): Found | undefined {
  if (Array.isArray(whole)) {
    const rows = rowsIn(whole);
    if (rows !== undefined) return rowFound(rows, session);
    return found(whole, { pointer: '' });
  }
  if (!isObject(whole)) return undefined;
  const key = FIELDS.find((field) => Array.isArray(whole[field]));
  return key === undefined ? undefined : found(listAt(whole, key), { pointer: `/${key}`, body: whole });
}

/** Rows that hold a conversation each, as benchmarks write them. */
export function rowsIn(whole: readonly unknown[]): readonly JsonObject[] | undefined {
  const rows = whole.filter(isObject);
  const isRow = (row: JsonObject): boolean =>
    textAt(row, 'role') === undefined &&
    FIELDS.some((field) => listAt(row, field).some((each) => textAt(each, 'role')));
  return rows.length > 0 && rows.length === whole.length && rows.every(isRow) ? rows : undefined;
}

function rowFound(rows: readonly JsonObject[], session: string | undefined): Found | undefined {
  const index = session === undefined ? 0 : Number(session.split('#').at(-1));
  const row = rows[index];
  const key = FIELDS.find((field) => Array.isArray(row?.[field]));
  if (row === undefined || key === undefined) return undefined;
  return found(listAt(row, key), { pointer: `/${index}/${key}`, body: row });
}

function found(list: readonly unknown[], { pointer, body }: { pointer: string; body?: JsonObject }): Found | undefined {
  if (list.length === 0 || !list.every(isObject)) return undefined;
  const dialect = (body === undefined ? undefined : detectDialect(body)) ?? detectDialect(list);
  return dialect === undefined ? undefined : { list, pointer, dialect, ...optional('body', body) };
}

/** A log in which each line is a message. */
export const dialectOfLines = (head: readonly JsonObject[]): Dialect | undefined => {
  const isPlain = head.length > 1 && head.every((value) => textAt(value, 'role') !== undefined || isItem(value));
  return isPlain ? detectDialect(head) : undefined;
};

const isItem = (value: JsonObject): boolean =>
  /_call(?:_output)?$|^reasoning$|^message$/.test(textAt(value, 'type') ?? '');

export function detect({ database, head, document }: Sample): boolean {
  if (database !== undefined) return false;
  const whole = document();
  return whole === undefined ? dialectOfLines(head) !== undefined : findMessages(whole) !== undefined;
}

export function heads({ path, head, document }: Sample): Head[] {
  const whole = document();
  const rows = Array.isArray(whole) ? rowsIn(whole) : undefined;
  if (rows === undefined) {
    const list = whole === undefined ? head : (findMessages(whole)?.list ?? []);
    return [{ id: path, ...optional('title', titleOf(list)) }];
  }
  return rows.map((row, index) => {
    const key = FIELDS.find((field) => Array.isArray(row[field])) ?? '';
    return { id: `${path}#${index}`, ...optional('title', titleOf(listAt(row, key))) };
  });
}

/** What a user said first, in any of the forms that a content has. */
export function titleOf(messages: readonly unknown[]): string | undefined {
  const prompt = messages.filter(isObject).find(({ role }) => role === 'user');
  const texts = [...listAt(prompt, 'content'), ...listAt(prompt, 'parts')].map((part) => textAt(part, 'text') ?? '');
  return titleFrom(textAt(prompt, 'content') ?? texts.join(''));
}
