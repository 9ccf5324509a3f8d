import type { DatabaseSync } from 'node:sqlite';

import type { Head, Hit, ListQuery, SearchQuery, SessionInfo } from '../../driver.ts';
import type { Row } from '../sql/chain.ts';
import { missing } from '../../refusals.ts';
import type { Log, Mark } from '../sql/log.ts';
import { type InfoRow, infoColumns, infoOf } from '../sql/session-row.ts';
import { fromStoredText, toStoredText } from '../sql/stored-text.ts';
import { failure } from './failure.ts';

/** All reads. No statement stays open between calls, so that readers do not hold back the log. */
export type Reads = {
  readonly log: Log;
  readonly head: (session: string) => Head | undefined;
  readonly info: (session: string) => SessionInfo | undefined;
  readonly list: (query: ListQuery, limit: number) => readonly SessionInfo[];
  readonly search: (query: SearchQuery) => readonly Hit[];
};

const columns = infoColumns.join(', ');

/** Sums the sizes first, so that a page of large records stays small. */
const pageOf = (order: 'asc' | 'desc'): string => {
  const edge = order === 'asc' ? '<=' : '>=';
  const last = order === 'asc' ? 'max' : 'min';
  return `
    with sized as (
      select seq, sum(length(body)) over (order by seq ${order}) - length(body) as before
      from (
        select r.seq, r.body from records r join sessions s on s.n = r.session
        where s.id = ?1 and r.seq > ?2 and r.seq < ?3 order by r.seq ${order} limit ?4
      )
    )
    select r.seq, r.link, r.crc, r.body from records r join sessions s on s.n = r.session
    where s.id = ?1 and r.seq > ?2 and r.seq < ?3 and r.seq ${edge} (select ${last}(seq) from sized where before < ?5)
    order by r.seq ${order}`;
};

const pageBytes = 4 * 1024 * 1024;

type RecordRow = { readonly seq: number; readonly link: number; readonly crc: number; readonly body: Uint8Array };

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure(error, path);
  }
}

function createLog(database: DatabaseSync, path: string): Log {
  const mark = database.prepare('select base, seq, epoch, chain from sessions where id = ?');
  const pages = { forward: database.prepare(pageOf('asc')), backward: database.prepare(pageOf('desc')) };
  return {
    mark: async (session) => attempt(path, () => mark.get(toStoredText(session)) as Mark | undefined),
    page: async (session, { after = 0, before = Number.MAX_SAFE_INTEGER, backward = false, limit }) =>
      attempt(path, () => {
        const statement = backward ? pages.backward : pages.forward;
        const rows = statement.all(toStoredText(session), after, before, limit, pageBytes) as RecordRow[];
        return rows.map(({ seq, link, crc, body }): Row => ({ seq, link, crc, bytes: body }));
      }),
  };
}

/** Quotes keep a word from being syntax; the star matches word starts. */
const matching = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}" *`).join(' AND ');

export function createReads(database: DatabaseSync, path: string): Reads {
  const info = database.prepare(`select ${columns} from sessions where id = ?`);
  const head = database.prepare('select seq, epoch from sessions where id = ?');
  const list = database.prepare(
    `select ${columns} from sessions where id > ?1 and (?2 is null or archived = ?2)
     and (?3 is null or parent = ?3) and (?4 is null or fork_from = ?4) order by id limit ?5`,
  );
  const search = database.prepare(
    `select s.id, r.seq from words join records r on r.n = words.rowid join sessions s on s.n = r.session
     where words match ?1 and (?2 is null or s.id = ?2) order by s.id, r.seq limit ?3`,
  );
  const text = (value: string | undefined): string | null => (value === undefined ? null : toStoredText(value));
  return {
    log: createLog(database, path),
    head: (session) =>
      attempt(path, () => {
        const row = head.get(toStoredText(session)) as Head | undefined;
        return row && { seq: row.seq, epoch: row.epoch };
      }),
    info: (session) =>
      attempt(path, () => {
        const row = info.get(toStoredText(session)) as InfoRow | undefined;
        return row && infoOf(row);
      }),
    list: ({ archived, parent, forkOf, after }, limit) =>
      attempt(path, () => {
        const kept = archived === undefined ? null : Number(archived);
        return (list.all(toStoredText(after ?? ''), kept, text(parent), text(forkOf), limit) as InfoRow[]).map(infoOf);
      }),
    search: ({ words, session, limit }) =>
      attempt(path, () => {
        if (session !== undefined && head.get(toStoredText(session)) === undefined) throw missing(session);
        const rows = search.all(
          matching(words),
          text(session),
          Number.isFinite(limit ?? Infinity) ? (limit ?? -1) : -1,
        ) as { id: string; seq: number }[];
        return rows.map(({ id, seq }) => ({ session: fromStoredText(id), seq }));
      }),
  };
}
