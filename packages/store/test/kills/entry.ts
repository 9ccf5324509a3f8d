import type { Entry } from '../../src/driver.ts';
import { encodeRecord } from '../../src/record.ts';

export const at = '2026-01-02T03:04:05.678Z';

/** A record that names its writer; every tenth has a string stored separately. */
export function entryBy(writer: string, seq: number): Entry {
  const id = `${writer}-${seq}`;
  const data = seq % 10 === 0 ? 'long '.repeat(15_000) : 'short '.repeat(seq % 40);
  return { seq, id, kind: 'note', bytes: encodeRecord({ seq, id, at, kind: 'note', data }) };
}
