import { checkLimit, checkOptions } from './arguments.ts';
import { Divider, isTalk } from './divider.ts';
import type { Driver } from './driver.ts';
import { readRecords } from './log.ts';
import type { StoredRecord } from './record.ts';

export type PageOptions = {
  /** Only what came before this record; the newest page where it is left out. */
  readonly before?: number;
  /** At least so many records, unless there are no more; the page then goes on to the beginning of a turn. */
  readonly minRecords?: number;
};

/** Some records in their order. No turn is divided between two pages, and no call parted from its result. */
export type Page = {
  readonly records: readonly StoredRecord[];
  /** What to give as `before` for the page before this one; absent at the beginning. */
  readonly before?: number;
};

const usualRecords = 50;

/** A page of a log, read from its end. Only what stands before a page tells whether it may begin there. */
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
