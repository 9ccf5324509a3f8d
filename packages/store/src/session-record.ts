import type { SessionRecord } from '@rethread/core';

import type { StoredRecord } from './record.ts';

/** A stored record as the core reads it; the core looks at the data itself and leaves what it does not know. */
export function toSessionRecord(record: StoredRecord): SessionRecord {
  return record as SessionRecord;
}
