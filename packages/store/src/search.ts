import { checkLimit, checkOptions, checkText } from './arguments.ts';
import type { Driver, Hit } from './driver.ts';
import { loadRecords, stretchesOf } from './log.ts';
import type { StoredRecord } from './record.ts';
import { searchText, wordsOf } from './search-text.ts';
import { StoreError } from './store-error.ts';

export type SearchOptions = {
  /**
   * Searches only this session, including records it shares as a fork. Without it, a shared record is found once, in
   * its own session.
   */
  readonly session?: string;
  readonly limit?: number;
};

export type Found = {
  readonly session: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  /** The words around the first match. */
  readonly snippet: string;
};

const usualLimit = 100;
const wordsBefore = 8;
const wordsShown = 24;

function snippetOf(record: StoredRecord, asked: readonly string[]): string {
  const words = searchText(record).split(' ');
  const first = words.findIndex((word) => asked.some((each) => word.startsWith(each)));
  const from = Math.max(0, first - wordsBefore);
  const shown = words.slice(from, from + wordsShown).join(' ');
  return `${from > 0 ? '… ' : ''}${shown}${from + wordsShown < words.length ? ' …' : ''}`;
}

/** Reads a hit; undefined if its session was erased in the meantime. */
async function recordAt(driver: Driver, session: string, seq: number): Promise<StoredRecord | undefined> {
  try {
    const [record] = await loadRecords(driver, session, { after: seq - 1, before: seq + 1 });
    return record;
  } catch (error) {
    const isGone = error instanceof StoreError && error.code === 'missing' && error.details.session === session;
    if (isGone) return undefined;
    throw error;
  }
}

type Asked = { readonly words: readonly string[]; readonly session: string; readonly limit: number };

/** Searches one session and the records it shares, because a driver searches only own records. */
async function* hitsIn(driver: Driver, { words, session, limit }: Asked): AsyncGenerator<Hit> {
  let left = limit;
  for (const { session: holder, upTo } of await stretchesOf(driver, session)) {
    if (left <= 0) return;
    // Hits behind the fork point do not count, so the source cannot be searched with a limit.
    const most = holder === session ? left : Infinity;
    for await (const { seq } of driver.search({ words, session: holder, limit: most })) {
      if (seq > upTo) continue;
      yield { session, seq };
      left -= 1;
      if (left <= 0) return;
    }
  }
}

/** Finds records by words. A query without words finds nothing. */
export async function* searchSessions(driver: Driver, text: string, options: SearchOptions): AsyncGenerator<Found> {
  checkOptions(options);
  if (typeof text !== 'string') throw new StoreError('unsupported', `the query must be a string, not ${typeof text}`);
  const { session: only, limit = usualLimit } = options;
  checkText('session', only);
  checkLimit('limit', limit);
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return;
  const hits = only === undefined ? driver.search({ words, limit }) : hitsIn(driver, { words, session: only, limit });
  for await (const { session, seq } of hits) {
    const record = await recordAt(driver, session, seq);
    if (record !== undefined) {
      yield { session, seq, at: record.at, kind: record.kind, snippet: snippetOf(record, words) };
    }
  }
}
