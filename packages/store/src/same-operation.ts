import { isDeepStrictEqual } from 'node:util';

import type { Driver } from './driver.ts';
import { infoOf } from './log.ts';
import { decodeRecord, type TakenRecord, takeRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** An operation that a driver says it has stored before, and what is given under its name now. */
export type Repeated = {
  readonly op: string;
  /** The head that it made. */
  readonly head: number;
  readonly records: readonly TakenRecord[];
};

function dataOf({ content }: TakenRecord): unknown {
  const { data = null } = JSON.parse(content) as { readonly data?: unknown };
  return data;
}

/** Content counts, and not how it was put together; number, id and time are made anew whenever something is given. */
function isSame(given: TakenRecord, kind: string, data: unknown): boolean {
  if (given.kind !== kind) return false;
  if (takeRecord({ kind, data }).content === given.content) return true;
  try {
    return isDeepStrictEqual(dataOf(given), data ?? null);
  } catch {
    // Nested too deeply to be compared part by part, and the texts are not the same.
    return false;
  }
}

/** Refuses what is not the operation that was stored under this name. A record that a damaged log lost is passed. */
export async function requireSame(driver: Driver, session: string, { op, head, records }: Repeated): Promise<void> {
  const { base } = await infoOf(driver, session);
  const first = head - records.length + 1;
  let same = first > base;
  const range = { after: Math.max(0, first - 2), before: head + 1 };
  if (same) {
    for await (const some of driver.read(session, range)) {
      for (const { seq, bytes } of some) {
        const stored = decodeRecord(bytes);
        const given = records[seq - first];
        // The record before the first tells whether more was written than is given now.
        if (given === undefined) same &&= stored?.op !== op;
        else same &&= stored !== undefined && (stored.op ?? op) === op && isSame(given, stored.kind, stored.data);
      }
    }
  }
  if (same) return;
  const what = `operation ${JSON.stringify(op)} was used for something else, which ended with record ${head}`;
  throw new StoreError('reused', `session ${JSON.stringify(session)}: ${what}`, { session, seq: head });
}
