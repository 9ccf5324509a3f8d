import type { Hit, SearchQuery } from '../../driver.ts';
import { textOfBytes } from '../../search-text.ts';
import { missing } from '../../refusals.ts';
import type { Log } from '../sql/log.ts';
import { fromStoredText } from '../sql/stored-text.ts';
import { keyOf } from './place.ts';
import type { Pool } from './pool.ts';

type Searched = { readonly pool: Pool; readonly schema: string; readonly log: Log };

const hitsAtOnce = 500;
const recordsAtOnce = 500;

/** Unique words, each after a space, so that a plain comparison finds word starts. */
const wordsOf = (bytes: Uint8Array): string => {
  const text = textOfBytes(bytes);
  return text === '' ? '' : ` ${[...new Set(text.split(' '))].join(' ')}`;
};

type Behind = { readonly session: string; readonly made: string; readonly indexed: number; readonly seq: number };

async function sessionsBehind({ pool, schema }: Searched, session: string | undefined): Promise<Behind[]> {
  const rows = await pool.run({
    text: `select id, made, indexed, seq from ${schema}.sessions
      where indexed < seq and seq > base and ($1::uuid is null or key = $1) order by key`,
    values: [session === undefined ? null : keyOf(session)],
  });
  return rows.map(({ id, made, indexed, seq }) => ({
    session: fromStoredText(String(id)),
    made: String(made),
    indexed: Number(indexed),
    seq: Number(seq),
  }));
}

/**
 * Moves the mark and adds the words in one statement, so that only one of two indexers succeeds. `made` excludes a
 * session created anew.
 */
const indexText = (schema: string): string => `
  with moved as (
    update ${schema}.sessions set indexed = $3::bigint
    where key = $1 and indexed = $2::bigint and made = $6::uuid returning key
  )
  insert into ${schema}.words (session, seq, words)
  select key, seq, words from moved, unnest($4::bigint[], $5::text[]) as given (seq, words) where words <> ''
  on conflict do nothing`;

async function catchUp({ pool, schema, log }: Searched, { session, made, indexed, seq }: Behind): Promise<void> {
  for (let after = indexed; after < seq;) {
    const rows = await log.page(session, { after, limit: recordsAtOnce });
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    const words = rows.map(({ bytes }) => wordsOf(bytes));
    const values = [keyOf(session), after, last, rows.map((row) => row.seq), words, made];
    await pool.run({ text: indexText(schema), values });
    after = last;
  }
}

/**
 * Appends do not update the index. A search first indexes the records added since the last one. It then compares words
 * in the database, so that only hits are sent.
 */
export async function* search(searched: Searched, { words, session, limit }: SearchQuery): AsyncIterable<Hit> {
  const { pool, schema } = searched;
  const key = session === undefined ? null : keyOf(session);
  const known = `select from ${schema}.sessions where key = $1`;
  if (session !== undefined && (await pool.run({ text: known, values: [key] })).length === 0) throw missing(session);
  for (const behind of await sessionsBehind(searched, session)) await catchUp(searched, behind);
  const text = `select s.id, s.key, w.seq from ${schema}.words w join ${schema}.sessions s on s.key = w.session
    where ($1::uuid is null or w.session = $1) and ($2::uuid is null or (w.session, w.seq) > ($2::uuid, $3::bigint))
      and not exists (select from unnest($4::text[]) as word where strpos(w.words, ' ' || word) = 0)
    order by w.session, w.seq limit $5`;
  let left = limit ?? Number.POSITIVE_INFINITY;
  let last: readonly unknown[] = [null, null];
  while (left > 0) {
    const rows = await pool.run({ text, values: [key, ...last, words, Math.min(left, hitsAtOnce)] });
    for (const { id, seq } of rows) yield { session: fromStoredText(String(id)), seq: Number(seq) };
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [end['key'], end['seq']];
    left -= rows.length;
  }
}
