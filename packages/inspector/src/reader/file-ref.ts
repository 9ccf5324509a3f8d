import { lstat } from 'node:fs/promises';

import { openSession, type SessionRef } from '@rethread/formats';

import { optional } from './value.ts';

/** The session in a file that somebody named; undefined where there is no file. */
export async function fileRef(path: string, id?: string): Promise<SessionRef | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isFile() !== true) return undefined;
  const session = await openSession(id === undefined ? path : { path, id });
  return {
    tool: session.tool ?? 'unknown',
    id: id ?? session.id ?? path,
    path,
    modified: stat.mtimeMs,
    bytes: stat.size,
    ...optional('title', session.title),
    ...optional('cwd', session.cwd),
    ...optional('parent', session.parent),
  };
}
