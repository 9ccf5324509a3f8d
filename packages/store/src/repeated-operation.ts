import { isDeepStrictEqual } from 'node:util';

import type { Driver } from './driver.ts';
import { infoOf } from './log.ts';
import { decodeRecord, type TakenRecord, takeRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** An operation the driver has already stored, and the records now given under its name. */
export type Repeated = {
  readonly op: string;
  /** The head after that operation. */
  readonly head: number;
  readonly records: readonly TakenRecord[];
};

function dataOf({ content }: TakenRecord): unknown {
  const { data = null } = JSON.parse(content) as { readonly data?: unknown };
  return data;
}

/** Compares content only: number, id and time are new on every attempt. */
function isSame(given: TakenRecord, kind: string, data: unknown): boolean {
  if (given.kind !== kind) return false;
  if (takeRecord({ kind, data }).content === given.content) return true;
  try {
    return isDeepStrictEqual(dataOf(given), data ?? null);
  } catch {
    // The values are nested too deeply to compare, and their texts differ.
    return false;
  }
}

/** Refuses a retry whose records differ from the stored operation. Records lost to damage are skipped. */
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
        // The record before the first shows whether the stored operation had more records.
        if (given === undefined) same &&= stored?.op !== op;
        else same &&= stored !== undefined && (stored.op ?? op) === op && isSame(given, stored.kind, stored.data);
      }
    }
  }
  if (same) return;
  const what = `operation ${JSON.stringify(op)} already wrote other records, up to record ${head}; use a new name`;
  throw new StoreError('reused', `session ${JSON.stringify(session)}: ${what}`, { session, seq: head });
}
