import { checkLimit, checkOptions, checkText } from './arguments.ts';
import type { Driver } from './driver.ts';
import { readRecords } from './log.ts';
import type { StoredRecord } from './record.ts';
import { searchText } from './search-text.ts';
import { StoreError } from './store-error.ts';
import { wordsOf } from './words.ts';

export type SearchOptions = {
  /** Only in this session. */
  readonly session?: string;
  readonly limit?: number;
};

/** A record that was found. */
export type Found = {
  readonly session: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  /** The words around the first one that was looked for. */
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

/** Finds records by words; a text without any finds nothing. */
export async function* searchSessions(driver: Driver, text: string, options: SearchOptions): AsyncGenerator<Found> {
  checkOptions(options);
  if (typeof text !== 'string') throw new StoreError('unsupported', `what is looked for is a text, not ${typeof text}`);
  checkText('session', options.session);
  checkLimit('limit', options.limit);
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return;
  for await (const { session, seq } of driver.search({ limit: usualLimit, ...options, words })) {
    for await (const record of readRecords(driver, session, { after: seq - 1, before: seq + 1 })) {
      yield { session, seq, at: record.at, kind: record.kind, snippet: snippetOf(record, words) };
    }
  }
}
