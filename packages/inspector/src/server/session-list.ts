import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import type { SessionRef } from '@rethread/formats';

import type { SessionRow } from '../api.ts';
import type { KeyedRef } from '../reader/asks.ts';
import { optional } from '../reader/value.ts';

/** The sessions that were found, by the keys that the page knows them by. */
export type SessionList = {
  add(ref: SessionRef): KeyedRef;
  get(key: string): KeyedRef | undefined;
  /** The same, with the present size and time of its file. */
  fresh(key: string): Promise<KeyedRef | undefined>;
  all(): readonly KeyedRef[];
};

export function createSessionList(): SessionList {
  const byKey = new Map<string, KeyedRef>();
  return {
    add(ref) {
      const key = createHash('sha256').update(`${ref.path}\0${ref.id}`).digest('hex').slice(0, 16);
      const keyed = { ...ref, key };
      byKey.set(key, keyed);
      return keyed;
    },
    get: (key) => byKey.get(key),
    async fresh(key) {
      const ref = byKey.get(key);
      const stat = ref === undefined ? undefined : await lstat(ref.path).catch(() => undefined);
      if (ref === undefined || stat === undefined) return ref;
      // A database is written through the log beside it.
      const log = /\.(db|sqlite)$/.test(ref.path) ? await lstat(`${ref.path}-wal`).catch(() => undefined) : undefined;
      const modified = Math.max(stat.mtimeMs, log?.mtimeMs ?? 0);
      const now = { ...ref, bytes: stat.size, modified: log === undefined ? stat.mtimeMs : modified };
      byKey.set(key, now);
      return now;
    },
    all: () => [...byKey.values()].sort((a, b) => b.modified - a.modified),
  };
}

/** What the page is told of a session in the list. */
export const toRow = (ref: KeyedRef): SessionRow => ({
  key: ref.key,
  tool: ref.tool,
  id: ref.id,
  ...optional('title', ref.title),
  ...optional('cwd', ref.cwd),
  ...optional('parent', ref.parent),
  ...optional('isSubagent', ref.isSubagent),
  file: `${basename(dirname(ref.path))}/${basename(ref.path)}`,
  modified: ref.modified,
  bytes: ref.bytes,
});
