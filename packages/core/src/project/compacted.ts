import type { SessionRecord } from '../model/record.ts';
import { isRecord } from '../model/value.ts';
import { earlier } from './surviving.ts';

/** A summary and the records that it stands for, both ends included. */
export type Compacted = {
  readonly from: number;
  readonly to: number;
  readonly summary: unknown;
  /** What stands there instead of one summary. */
  readonly messages: unknown;
  readonly dialect: unknown;
};

/** The checkpoints that hold: not undone, and not covered by a newer one. Sorted by where they begin. */
export function compactedIn(records: readonly SessionRecord[]): readonly Compacted[] {
  const held: Compacted[] = [];
  const undone = new Set<unknown>();
  for (const record of records.toReversed()) {
    if (record.kind !== 'checkpoint' || !isRecord(record.data) || undone.has(record.seq)) continue;
    const data: Readonly<Record<string, unknown>> = record.data;
    if ('undo' in data) undone.add(data['undo']);
    const [from, to] = [earlier(data['from'], record), earlier(data['to'], record)];
    if (from === undefined || to === undefined || from > to) continue;
    if (held.some((newer) => newer.from <= from && to <= newer.to)) continue;
    const { summary, messages, dialect } = data;
    held.push({ from, to, summary, messages, dialect });
  }
  return held.sort((one, two) => one.from - two.from || one.to - two.to);
}

/** The numbers of the records that are pinned. */
export function pinnedIn(records: readonly SessionRecord[]): ReadonlySet<number> {
  const pinned = new Set<number>();
  for (const record of records) {
    if (record.kind !== 'pin' || !isRecord(record.data)) continue;
    const data: Readonly<Record<string, unknown>> = record.data;
    const seq = earlier(data['seq'], record);
    if (seq === undefined) continue;
    if (data['pinned'] === false) pinned.delete(seq);
    else pinned.add(seq);
  }
  return pinned;
}
