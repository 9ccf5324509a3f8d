import { Buffer } from 'node:buffer';
import { join } from 'node:path';

import type { NewSession } from '../../driver.ts';
import { missing } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { errorCode, attempt } from '../system-failure.ts';
import { openIfThere } from './files.ts';
import { folderOf, nameOf, notAFolder, type Place } from './layout.ts';
import { encodeLine, type Line, lineFeed, readLine, seedOf, type Tip } from './line.ts';
import { readBytes, readIfThere, type Source } from './byte-source.ts';

export const logName = 'log.jsonl';
export const logPath = (place: Place, session: string): string => join(folderOf(place, session), logName);

export type LogHeader = {
  readonly about: NewSession;
  /** How often the log was rewritten to mend it. */
  readonly mended: number;
  /** Behind this line. Its checksum identifies the log. */
  readonly tip: Tip;
};

const nothing = Buffer.from('null');

/**
 * `log` is random, so every log has a different first line and checksum. Notes about an erased session never match a
 * later one with the same id and time.
 */
export function encodeHeader(
  session: string,
  about: NewSession,
  of: { log: string; mended: number },
): { readonly bytes: Buffer; readonly crc: number } {
  const { log, mended } = of;
  const meta = { v: 1, session, about, mended, log };
  return encodeLine({ seq: about.base, record: nothing, meta }, seedOf(session));
}

/** The error of a log without a sound first line. An empty log means that the file was deleted. */
export function headerDamaged(place: Place, session: string, { size }: Source): StoreError {
  const path = logPath(place, session);
  if (size === 0) return logGone(session, path);
  const sentence = `session ${JSON.stringify(session)}: the first line of its log is damaged`;
  return new StoreError('damaged', sentence, { session, path, offset: 0 });
}

const logGone = (session: string, path: string): StoreError =>
  new StoreError('damaged', `session ${JSON.stringify(session)}: its log is gone`, { session, path });

/** The first sound line of a file, which may be long, and where it ends. */
export function firstLine(source: Source): (Line & { readonly end: number }) | undefined {
  for (let room = 4096; room <= 0x800_0000; room *= 8) {
    const bytes = readBytes(source, 0, room);
    const to = bytes.indexOf(lineFeed);
    const line = to < 0 ? undefined : readLine(bytes, 0, to);
    if (to >= 0 || bytes.length < room) return line && { ...line, end: to + 1 };
  }
  return undefined;
}

/** The first line; undefined if it is not sound. A log of another session rejects with `not-ours`. */
export function readHeader(source: Source, session: string): LogHeader | undefined {
  const line = firstLine(source);
  const meta = line?.meta;
  if (line === undefined || meta === undefined || typeof meta['session'] !== 'string') return undefined;
  if (meta['session'] !== session || line.link !== seedOf(session)) {
    const sentence = `the log in ${nameOf(session)} belongs to session ${JSON.stringify(meta['session'])}`;
    throw new StoreError('not-ours', sentence, { session });
  }
  const tip = { offset: line.end, seq: line.seq, crc: line.crc };
  return { about: meta['about'] as NewSession, mended: Number(meta['mended']), tip };
}

/** The first line and size of the log that has this name now. */
function currentLog(place: Place, session: string): { header: LogHeader | undefined; size: number } | undefined {
  return readIfThere(place.files, logPath(place, session), (source) => ({
    header: readHeader(source, session),
    size: source.size,
  }));
}

/** The first line of the log that has this name now; undefined if it is gone or unreadable. */
export const currentHeader = (place: Place, session: string): LogHeader | undefined =>
  currentLog(place, session)?.header;

/** Whether a log was not erased, mended or created anew since it was opened. */
export const isCurrent = (place: Place, session: string, log: number): boolean =>
  currentLog(place, session)?.header?.tip.crc === log;

/** Whether it is still that log, with the same size. */
export function isUnchanged(
  place: Place,
  session: string,
  log: { header: LogHeader | undefined; size: number },
): boolean {
  const now = currentLog(place, session);
  return now?.size === log.size && now.header?.tip.crc === log.header?.tip.crc;
}

/** The current first line of a log: a new one after a mend, undefined after an erasure. */
export function laterHeader(place: Place, session: string, { tip, mended }: LogHeader): LogHeader | undefined {
  const now = currentHeader(place, session);
  return now !== undefined && (now.tip.crc === tip.crc || now.mended > mended) ? now : undefined;
}

/** Whether the session was erased since its log was opened. Another session may have its name now. */
export const isErased = (place: Place, session: string, header: LogHeader): boolean =>
  laterHeader(place, session, header) === undefined;

/** Refuses a session whose folder is missing or not a folder. */
export function requireSession(place: Place, session: string): void {
  const folder = folderOf(place, session);
  const state = place.files.look(folder);
  if (state === undefined) throw missing(session);
  if (state.kind !== 'folder') throw notAFolder(folder);
}

/** Opens the log of a session for reading; `missing` if there is no session. */
export function openLog(place: Place, session: string): number {
  return openOr(place, session, () => {
    throw logGone(session, logPath(place, session));
  });
}

/**
 * Ensures that a session has a log before it is acquired. A deleted log becomes an empty one, which is damaged but can
 * be mended or erased.
 */
export function requireLog(place: Place, session: string): void {
  const { files } = place;
  const path = logPath(place, session);
  const makeEmpty = (): number | undefined => {
    try {
      return files.open(path, 'create');
    } catch (error) {
      // The session was erased or restored at this moment.
      if (['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) return undefined;
      throw error;
    }
  };
  files.close(openOr(place, session, makeEmpty));
}

function openOr(place: Place, session: string, gone: () => number | undefined): number {
  const { files } = place;
  const path = logPath(place, session);
  const open = (): number => {
    for (;;) {
      requireSession(place, session);
      const file = openIfThere(files, path, 'read');
      if (file !== undefined) return file;
      // The session was erased at this moment and perhaps created anew, or somebody deleted the log.
      requireSession(place, session);
      const other = files.isThere(path) ? undefined : gone();
      if (other !== undefined) return other;
    }
  };
  return attempt(`cannot open session ${JSON.stringify(session)}`, open, { session });
}
