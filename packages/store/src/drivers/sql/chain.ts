import { crc32 } from 'node:zlib';

/** A record as the databases keep it: its bytes, their checksum, and the checksum of the record before it. */
export type Row = { readonly seq: number; readonly link: number; readonly crc: number; readonly bytes: Uint8Array };

/** What the first record of a session is chained to, so that a record of another session does not fit in its place. */
export function chainStart(session: string): number {
  return crc32(Buffer.from(session, 'utf16le')) | 0;
}

/** The checksum of a record that stands behind another one; a signed number of 32 bits, as the databases have it. */
export function chained(link: number, bytes: Uint8Array): number {
  return crc32(bytes, link >>> 0) | 0;
}

export function isSound({ link, crc, bytes }: Row): boolean {
  return chained(link, bytes) === crc;
}
