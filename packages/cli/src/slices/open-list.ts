import { type Dialect, detectDialect } from '@rethread/core';

import type { OpenedFile } from '../files/read-json.ts';
import { withRequest } from '../judge/read-request.ts';
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
  readonly file: OpenedFile;
}

export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Reads a list of messages, or a request with one, whose dialect is known, and gives it to the work. */
export function withList<T>(
  path: string,
  { dialect, model }: DialectFlags,
  work: (opened: OpenedList) => T,
): Promise<T> {
  return withRequest(path, (file) => {
    const { value } = file.session;
    const empty = Array.isArray(value) && value.length === 0;
    // An empty list says nothing, and is the same in every dialect.
    const known = dialect ?? detectDialect(value) ?? (empty ? 'openai-chat' : undefined);
    if (known === undefined) throw new Unreadable('does not show which dialect it is in; name it with --dialect');
    const target = { dialect: known, ...(model === undefined ? {} : { model }) };
    return work({ name: nameOf(path), value, target, file });
  });
}
