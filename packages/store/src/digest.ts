import { createHash, type Hash } from 'node:crypto';

import type { Driver } from './driver.ts';
import { readLog } from './log.ts';

const lineFeed = new Uint8Array([10]);

/** SHA-256 over the bytes of every record, each followed by a line feed. */
export class Digest {
  readonly #hash: Hash = createHash('sha256');
  records = 0;
  bytes = 0;

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes).update(lineFeed);
    this.records += 1;
    this.bytes += bytes.length;
  }

  /** Call it once: it finishes the hash. */
  end(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** The size and digest of a log; the same in every driver. */
export type LogSize = { readonly digest: string; readonly records: number; readonly bytes: number };

/** Reads a whole log, including shared records, and computes its digest. */
export async function digestOf(driver: Driver, session: string): Promise<LogSize> {
  const digest = new Digest();
  for await (const some of readLog(driver, session, {})) for (const { bytes } of some) digest.add(bytes);
  const { records, bytes } = digest;
  return { digest: digest.end(), records, bytes };
}
