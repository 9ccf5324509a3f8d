import { crc32 } from 'node:zlib';

/** A stored record: its bytes, their checksum, and the checksum of the record before. */
export type Row = { readonly seq: number; readonly link: number; readonly crc: number; readonly bytes: Uint8Array };

/** The start of a session's chain, so that a record of another session never fits. */
export function chainStart(session: string): number {
  return crc32(Buffer.from(session, 'utf16le')) | 0;
}

/** The chained checksum of a record, as a signed 32-bit number. */
export function chained(link: number, bytes: Uint8Array): number {
  return crc32(bytes, link >>> 0) | 0;
}

export function isSound({ link, crc, bytes }: Row): boolean {
  return chained(link, bytes) === crc;
}
