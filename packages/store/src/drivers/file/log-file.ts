import { Buffer } from 'node:buffer';
import { join } from 'node:path';

import type { NewSession } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { attempt } from './failure.ts';
import { errorCode } from './files.ts';
import { folderOf, nameOf, type Place, requireFolder } from './layout.ts';
import { encodeLine, lineFeed, readLine, seedOf, type Tip } from './line.ts';
import { readBytes, type Source } from './source.ts';

export const logName = 'log.jsonl';
export const logPath = (place: Place, session: string): string => join(folderOf(place, session), logName);

/** The first line of a log says whose it is. */
export type LogHeader = {
  readonly about: NewSession;
  /** How often the log was written anew to mend it. */
  readonly mended: number;
  /** Behind this line; its checksum names this log. */
  readonly tip: Tip;
};

const nothing = Buffer.from('null');

export function encodeHeader(session: string, about: NewSession, mended: number): Buffer {
  const meta = { v: 1, session, about, mended };
  return encodeLine({ seq: about.base, record: nothing, meta }, seedOf(session)).bytes;
}

export function headerDamaged(session: string, path: string): StoreError {
  const sentence = `session ${JSON.stringify(session)}: the first line of its log is damaged`;
  return new StoreError('damaged', sentence, { session, path, offset: 0 });
}

/** The first line; undefined when it is not sound. A log that tells of another session is `not-ours`. */
export function readHeader(source: Source, session: string): LogHeader | undefined {
  let bytes = readBytes(source, 0, 4096);
  let to = bytes.indexOf(lineFeed);
  for (let room = 65_536; to < 0 && bytes.length < source.size && room <= 0x800_0000; room *= 8) {
    bytes = readBytes(source, 0, room);
    to = bytes.indexOf(lineFeed);
  }
  const line = to < 0 ? undefined : readLine(bytes, 0, to);
  const meta = line?.meta;
  if (line === undefined || meta === undefined || typeof meta['session'] !== 'string') return undefined;
  if (meta['session'] !== session || line.link !== seedOf(session)) {
    const sentence = `the log in ${nameOf(session)} is that of session ${JSON.stringify(meta['session'])}`;
    throw new StoreError('not-ours', sentence, { session });
  }
  const tip = { offset: to + 1, seq: line.seq, crc: line.crc };
  return { about: meta['about'] as NewSession, mended: Number(meta['mended']), tip };
}

export const missing = (session: string): StoreError =>
  new StoreError('missing', `there is no session ${JSON.stringify(session)}`, { session });

/** A folder without a log: erased this very moment, or somebody took the log away. */
function logGone(place: Place, session: string): StoreError {
  if (place.files.look(folderOf(place, session)) === undefined) return missing(session);
  const path = logPath(place, session);
  return new StoreError('damaged', `session ${JSON.stringify(session)}: its log is gone`, { session, path });
}

/** Opens the log of a session; `missing` when there is no such session. */
export function openLog(place: Place, session: string, how: 'read' | 'write'): number {
  const { files } = place;
  return attempt(
    `cannot open session ${JSON.stringify(session)}`,
    () => {
      const folder = folderOf(place, session);
      if (files.look(folder) === undefined) throw missing(session);
      requireFolder(files, folder);
      try {
        return files.open(logPath(place, session), how);
      } catch (error) {
        if (errorCode(error) === 'ENOENT') throw logGone(place, session);
        throw error;
      }
    },
    { session },
  );
}
