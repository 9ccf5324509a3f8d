import { join } from 'node:path';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { findFiles } from '../files/find-files.ts';
import { readRecords } from '../files/log-file.ts';
import { numberAt, optional, textAt, type JsonObject } from '../json.ts';
import { wholeFile } from '../place.ts';
import type { Related } from '../session.ts';
import type { Database } from '../sqlite/database.ts';
import { openDatabase } from '../sqlite/open-database.ts';

type Rollout = {
  readonly home: string | undefined;
  readonly path: string;
  readonly meta: JsonObject | undefined;
  readonly bytes: number;
};

/** What the databases beside the rollouts tell of one. */
type Indexed = { readonly name?: string; readonly related: readonly Related[] };

/**
 * Compares a rollout with the databases that Codex shows sessions from. A session may be whole and still be hidden: its
 * row is missing, points elsewhere, or the view of it stopped growing.
 */
export async function indexFaults(rollout: Rollout, faults: FaultLog): Promise<Indexed> {
  const id = textAt(rollout.meta, 'id');
  if (rollout.home === undefined || id === undefined) return { related: [] };
  const related: Related[] = [];
  const stale = (note: string): void => faults.add('stale-index', wholeFile(rollout.path), note);
  let name = await listedName(rollout.home, id);
  for (const kind of ['state', 'thread_history'] as const) {
    const path = await newestOf(rollout.home, kind);
    const database = path === undefined ? undefined : await openDatabase(path, faults);
    if (path === undefined || database === undefined) continue;
    related.push({ kind: 'index', path, isThere: true });
    if (kind === 'state') name = checkThread({ database, id, rollout }, stale) ?? name;
    else checkView({ database, id, rollout }, stale);
    database.close();
  }
  return { related, ...optional('name', name) };
}

/** Before the databases, names were appended to a log; the last one counts. */
async function listedName(home: string, id: string): Promise<string | undefined> {
  const file = join(home, 'session_index.jsonl');
  if (!(await isFile(file))) return undefined;
  let name: string | undefined;
  for await (const { value } of readRecords({ file, isRecord: () => true, faults: createFaultLog() })) {
    if (value['id'] === id) name = textAt(value, 'thread_name') ?? name;
  }
  return name;
}

/** The number in the name grows when the tables change beyond a migration. */
async function newestOf(home: string, kind: string): Promise<string | undefined> {
  const files = await findFiles({ folder: home, files: `${kind}_*.sqlite` });
  const numbered = files.map(({ path }) => ({ path, number: Number(/_(\d+)\.sqlite$/.exec(path)?.[1] ?? 0) }));
  return numbered.sort((a, b) => b.number - a.number)[0]?.path;
}

type Check = { readonly database: Database; readonly id: string; readonly rollout: Rollout };

function checkThread({ database, id, rollout }: Check, stale: (note: string) => void): string | undefined {
  if (!database.tables.has('threads')) return undefined;
  const [row] = database.rows('SELECT * FROM threads WHERE id = ?', id);
  if (row === undefined) {
    stale(`No row of ${database.path} names this session, so Codex does not list it.`);
    return undefined;
  }
  const listed = textAt(row, 'rollout_path');
  const isSame = (listed ?? '').replace(/\.zst$/, '') === rollout.path.replace(/\.zst$/, '');
  if (listed !== undefined && !isSame && !listed.includes('_')) {
    stale(`${database.path} has this session in ${listed}. Codex opens that file.`);
  }
  const mode = textAt(rollout.meta, 'history_mode') ?? 'legacy';
  const listedMode = textAt(row, 'history_mode');
  if (listedMode !== undefined && listedMode !== mode) {
    stale(`${database.path} says that the history of this session is ${listedMode}, but the file is ${mode}.`);
  }
  return textAt(row, 'name') || undefined;
}

function checkView({ database, id, rollout }: Check, stale: (note: string) => void): void {
  if (!database.tables.has('thread_history_projection_state')) return;
  const [row] = database.rows('SELECT * FROM thread_history_projection_state WHERE thread_id = ?', id);
  const offset = numberAt(row, 'next_rollout_byte_offset');
  if (offset !== undefined && offset < rollout.bytes) {
    stale(`${database.path} shows this session up to byte ${offset} of ${rollout.bytes}: the rest is hidden.`);
  }
}
