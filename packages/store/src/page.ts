import { checkLimit, checkOptions } from './arguments.ts';
import { Divider, isTalk } from './turn-boundaries.ts';
import type { Driver } from './driver.ts';
import { readRecords } from './log.ts';
import type { StoredRecord } from './record.ts';

export type PageOptions = {
  /** Returns only records before this one (default: the newest page). */
  readonly before?: number;
  /** Minimum number of records; the page then extends to the start of a turn (default: 50). */
  readonly minRecords?: number;
};

/** Records in ascending order. A page never divides a turn or separates a call from its result. */
export type Page = {
  readonly records: readonly StoredRecord[];
  /** The `before` of the previous page; absent at the beginning. */
  readonly before?: number;
};

const usualRecords = 50;

/** Reads a page from the end of a log. Only the records before a page tell whether it may start there. */
export async function readPage(driver: Driver, session: string, options: PageOptions): Promise<Page> {
  checkOptions(options);
  const { before, minRecords = usualRecords } = options;
  checkLimit('minRecords', minRecords);
  const range = { backward: true, ...(before === undefined ? {} : { before }) };
  const records: StoredRecord[] = [];
  const divider = new Divider();
  let talked = 0;
  for await (const record of readRecords(driver, session, range)) {
    if (isTalk(record)) {
      if (talked > 0 && talked >= minRecords && divider.dividesBehind(record)) {
        const page = records.slice(0, talked).reverse();
        return { before: page[0]?.seq ?? 0, records: page };
      }
      divider.add(record);
      talked = records.length + 1;
    }
    records.push(record);
  }
  return { records: records.reverse() };
}
