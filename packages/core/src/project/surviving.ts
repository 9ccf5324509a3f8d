import type { SessionRecord } from '../model/record.ts';
import { isRecord } from '../model/value.ts';

/** The number of a record that came before this one; undefined for anything else. */
export function earlier(value: unknown, { seq }: SessionRecord): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < seq ? value : undefined;
}

/** The records of a log without anything in it that is none. */
function soundIn(log: unknown): readonly SessionRecord[] {
  if (!Array.isArray(log)) return [];
  return (log.every(isSound) ? log : log.filter(isSound)) as SessionRecord[];
}

const isSound = (record: unknown): boolean => isRecord(record) && typeof record['seq'] === 'number';

/** The last of the first `count` records whose number is not above `seq`; -1 if there is none. */
function lastUpTo(records: readonly SessionRecord[], count: number, seq: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records[middle];
    if (record !== undefined && record.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The records that no revert took back, in their order. Every record follows the one before it, and a revert follows
 * the record it goes back to; so the way back from the newest one meets exactly what survives. A revert that is itself
 * taken back is not met, and with it its effect is gone.
 */
export function surviving(all: readonly SessionRecord[]): readonly SessionRecord[] {
  const records = soundIn(all);
  const met: SessionRecord[] = [];
  let index = records.length - 1;
  for (let record = records[index]; record !== undefined; record = records[index]) {
    const to = record.kind === 'revert' && isRecord(record.data) ? earlier(record.data['to'], record) : undefined;
    if (to === undefined) {
      met.push(record);
      index -= 1;
    } else {
      index = lastUpTo(records, index, to);
    }
  }
  return met.length === records.length ? records : met.reverse();
}
