import type { Driver } from './driver.ts';
import { Digest } from './digest.ts';
import { halfImported } from './refusals.ts';
import { infoOf, readLog } from './log.ts';

const encoder = new TextEncoder();

const lineFeed = Uint8Array.of(10);

const line = (value: unknown): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`);

export type ExportHeader = {
  readonly rethread: 'session';
  readonly v: 1;
  readonly id: string;
  readonly createdAt: string;
  readonly title?: string;
  readonly parent?: string;
  readonly archived?: true;
};

/** The last line. Without it, the export is incomplete. */
export type ExportEnd = { readonly rethread: 'end'; readonly records: number; readonly digest: string };

/**
 * Exports a session as JSON lines: a header, every record byte for byte, and a last line with the digest. The export of
 * a fork includes the records it shares.
 */
export async function* exportSession(driver: Driver, session: string): AsyncGenerator<Uint8Array> {
  const { createdAt, title, parent, archived, importing } = await infoOf(driver, session);
  if (importing === true) throw halfImported(session);
  yield line({
    rethread: 'session',
    v: 1,
    id: session,
    createdAt,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
    ...(archived ? { archived } : {}),
  } satisfies ExportHeader);
  const digest = new Digest();
  for await (const some of readLog(driver, session, {})) {
    for (const { bytes } of some) digest.add(bytes);
    yield Buffer.concat(some.flatMap(({ bytes }) => [bytes, lineFeed]));
  }
  yield line({ rethread: 'end', records: digest.records, digest: digest.end() } satisfies ExportEnd);
}
