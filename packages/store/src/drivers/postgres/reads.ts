import type { Head, Hit, ListQuery, SearchQuery, SessionInfo } from '../../driver.ts';
import type { Row } from '../sql/chain.ts';
import type { Log } from '../sql/log.ts';
import { type InfoRow, infoColumns, infoOf } from '../sql/session-row.ts';
import { keyOf } from './place.ts';
import type { Pool } from './pool.ts';
import { search } from './search.ts';

/** All reads. None takes a lock that a writer would wait for. */
export type Reads = {
  readonly log: Log;
  readonly head: (session: string) => Promise<Head | undefined>;
  readonly info: (session: string) => Promise<SessionInfo | undefined>;
  readonly list: (query: ListQuery, limit: number) => Promise<readonly SessionInfo[]>;
  readonly search: (query: SearchQuery) => AsyncIterable<Hit>;
};

const columns = infoColumns.join(', ');
const pageBytes = 4 * 1024 * 1024;

/** Sums the sizes first, so that a page of large records stays small. */
const pageOf = (schema: string, order: 'asc' | 'desc'): string => {
  const [edge, last] = order === 'asc' ? ['<=', 'max'] : ['>=', 'min'];
  return `
    with sized as (
      select seq, sum(size) over (order by seq ${order}) - size as before
      from (
        select seq, octet_length(body) as size from ${schema}.records
        where session = $1 and seq > $2::bigint and seq < $3::bigint order by seq ${order} limit $4
      ) as page
    )
    select seq, link, crc, body from ${schema}.records
    where session = $1 and seq > $2::bigint and seq < $3::bigint
      and seq ${edge} (select ${last}(seq) from sized where before < ${pageBytes})
    order by seq ${order}`;
};

function createLog(pool: Pool, schema: string): Log {
  const pages = { forward: pageOf(schema, 'asc'), backward: pageOf(schema, 'desc') };
  const mark = `select base, seq, epoch, chain from ${schema}.sessions where key = $1`;
  return {
    mark: async (session) => {
      const [row] = await pool.run({ name: 'mark', text: mark, values: [keyOf(session)] });
      if (row === undefined) return undefined;
      const { base, seq, epoch, chain } = row;
      return { base: Number(base), seq: Number(seq), epoch: Number(epoch), chain: Number(chain) };
    },
    page: async (session, { after = 0, before = Number.MAX_SAFE_INTEGER, backward = false, limit }) => {
      const direction = backward ? 'backward' : 'forward';
      const values = [keyOf(session), after, before, limit];
      const rows = await pool.run({ name: `page ${direction}`, text: pages[direction], values });
      return rows.map(({ seq, link, crc, body }): Row => {
        const bytes = body as Buffer;
        return { seq: Number(seq), link: Number(link), crc: Number(crc), bytes };
      });
    },
  };
}

export function createReads(pool: Pool, schema: string): Reads {
  const log = createLog(pool, schema);
  return {
    log,
    head: async (session) => {
      const text = `select seq, epoch from ${schema}.sessions where key = $1`;
      const [row] = await pool.run({ name: 'head', text, values: [keyOf(session)] });
      return row && { seq: Number(row['seq']), epoch: Number(row['epoch']) };
    },
    info: async (session) => {
      const text = `select ${columns} from ${schema}.sessions where key = $1`;
      const [row] = await pool.run({ name: 'info', text, values: [keyOf(session)] });
      return row && infoOf(row);
    },
    list: (query, limit) => list(pool, schema, { query, limit }),
    search: (query) => search({ pool, schema, log }, query),
  };
}

type Asked = { readonly query: ListQuery; readonly limit: number };

const keyOrNull = (id: string | undefined): string | null => (id === undefined ? null : keyOf(id));

async function list(pool: Pool, schema: string, { query, limit }: Asked): Promise<readonly SessionInfo[]> {
  const text = `select ${columns} from ${schema}.sessions
    where ($1::uuid is null or key > $1) and ($2::boolean is null or archived = $2)
      and ($3::uuid is null or parent_key = $3) and ($4::uuid is null or fork_key = $4)
    order by key limit $5`;
  const filter = [query.archived ?? null, keyOrNull(query.parent), keyOrNull(query.forkOf)];
  const rows = await pool.run({ text, values: [keyOrNull(query.after), ...filter, limit] });
  return rows.map((row) => infoOf(row as InfoRow));
}
