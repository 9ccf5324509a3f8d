import { type Dialect, detectDialect } from '@rethread/core';

import { readRequest } from '../judge/read-request.ts';
import { Unreadable } from '../unreadable.ts';

/** The flags that say what a file holds. */
export interface DialectFlags {
  readonly dialect?: Dialect;
  readonly model?: string;
}

/** A file that was read, and the dialect it is in. */
export interface OpenedList {
  readonly name: string;
  readonly value: unknown;
  readonly target: { readonly dialect: Dialect; readonly model?: string };
}

export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Reads a list of messages, or a request with one, whose dialect is known. */
export async function openList(path: string, { dialect, model }: DialectFlags): Promise<OpenedList> {
  const value = await readRequest(path);
  const empty = Array.isArray(value) && value.length === 0;
  // An empty list says nothing, and is the same in every dialect.
  const known = dialect ?? detectDialect(value) ?? (empty ? 'openai-chat' : undefined);
  if (known === undefined) throw new Unreadable('does not show which dialect it is in; name it with --dialect');
  return { name: nameOf(path), value, target: { dialect: known, ...(model === undefined ? {} : { model }) } };
}
