import { createHash } from 'node:crypto';

import { type NewRecord, type Session, type Store, encodeRecord } from '@rethread/store';

/** Creates a session from records of other versions: an import carries any record. */
export async function importLog(store: Store, id: string, records: readonly NewRecord[]): Promise<Session> {
  const createdAt = new Date(0).toISOString();
  const lines = records.map(({ kind, data }, index) =>
    Buffer.from(encodeRecord({ seq: index + 1, id: `r${index + 1}`, at: createdAt, kind, data })),
  );
  const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  const header = JSON.stringify({ rethread: 'session', v: 1, id, createdAt });
  const end = JSON.stringify({ rethread: 'end', records: records.length, digest });
  await store.import([Buffer.from(`${header}\n`), body, Buffer.from(`${end}\n`)]);
  return store.session(id);
}
