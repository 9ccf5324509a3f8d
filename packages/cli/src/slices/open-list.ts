import { type Dialect, detectDialect } from '@rethread/core';

import type { OpenedFile } from '../files/read-json.ts';
import { withRequest } from '../judge/read-request.ts';
import type { Origin } from '../sessions/open-history.ts';
import { toolName } from '../sessions/tool-words.ts';
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

/** The dialect of a tool's session is known; in another one its messages would be misread. */
export function refuseOtherDialect(origin: Origin | undefined, dialect: Dialect | undefined): void {
  if (origin === undefined || dialect === undefined || dialect === origin.dialect) return;
  throw new Unreadable(`is a session of ${toolName(origin.tool)} in ${origin.dialect}; leave ${dialect} out`);
}

/** Reads a list of messages, or a request with one, whose dialect is known, and gives it to the work. */
export function withList<T>(
  path: string,
  { dialect, model }: DialectFlags,
  work: (opened: OpenedList) => T,
): Promise<T> {
  return withRequest(path, (file) => {
    const { value } = file.session;
    refuseOtherDialect(file.origin, dialect);
    const empty = Array.isArray(value) && value.length === 0;
    // An empty list says nothing, and is the same in every dialect.
    const known = dialect ?? file.origin?.dialect ?? detectDialect(value) ?? (empty ? 'openai-chat' : undefined);
    if (known === undefined) throw new Unreadable('does not show which dialect it is in; name it with --dialect');
    const target = { dialect: known, ...(model === undefined ? {} : { model }) };
    return work({ name: nameOf(path), value, target, file });
  });
}
