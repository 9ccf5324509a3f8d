import { Buffer } from 'node:buffer';
import { join } from 'node:path';

import type { NewSession } from '../../driver.ts';
import { missing } from '../../refusals.ts';
import { StoreError } from '../../store-error.ts';
import { errorCode, attempt } from '../system-failure.ts';
import { openIfThere } from './files.ts';
import { folderOf, nameOf, notAFolder, type Place } from './layout.ts';
import { encodeLine, type Line, lineFeed, readLine, seedOf, type Tip } from './line.ts';
import { readBytes, readIfThere, type Source } from './source.ts';

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

/**
 * `log` makes the line, and so its checksum, another one for every log: a session may be erased and imported again with
 * the same name and time, and what was noted about the one before is not about this one.
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

/** Of a log without a sound first line; an empty one stands where the log of a session was, until it is mended. */
export function headerDamaged(place: Place, session: string, { size }: Source): StoreError {
  const path = logPath(place, session);
  if (size === 0) return logGone(session, path);
  const sentence = `session ${JSON.stringify(session)}: the first line of its log is damaged`;
  return new StoreError('damaged', sentence, { session, path, offset: 0 });
}

const logGone = (session: string, path: string): StoreError =>
  new StoreError('damaged', `session ${JSON.stringify(session)}: its log is gone`, { session, path });

/** The first line of a file, whose title may be long, and where it ends; undefined when it is not sound. */
export function firstLine(source: Source): (Line & { readonly end: number }) | undefined {
  for (let room = 4096; room <= 0x800_0000; room *= 8) {
    const bytes = readBytes(source, 0, room);
    const to = bytes.indexOf(lineFeed);
    const line = to < 0 ? undefined : readLine(bytes, 0, to);
    if (to >= 0 || bytes.length < room) return line && { ...line, end: to + 1 };
  }
  return undefined;
}

/** The first line; undefined when it is not sound. A log that tells of another session is `not-ours`. */
export function readHeader(source: Source, session: string): LogHeader | undefined {
  const line = firstLine(source);
  const meta = line?.meta;
  if (line === undefined || meta === undefined || typeof meta['session'] !== 'string') return undefined;
  if (meta['session'] !== session || line.link !== seedOf(session)) {
    const sentence = `the log in ${nameOf(session)} is that of session ${JSON.stringify(meta['session'])}`;
    throw new StoreError('not-ours', sentence, { session });
  }
  const tip = { offset: line.end, seq: line.seq, crc: line.crc };
  return { about: meta['about'] as NewSession, mended: Number(meta['mended']), tip };
}

/** The first line of the log that has the name of a session now, and its length. */
function currentLog(place: Place, session: string): { header: LogHeader | undefined; size: number } | undefined {
  return readIfThere(place.files, logPath(place, session), (source) => ({
    header: readHeader(source, session),
    size: source.size,
  }));
}

/** The first line of the log that has the name of a session now; undefined where it is gone or cannot be read. */
export const currentHeader = (place: Place, session: string): LogHeader | undefined =>
  currentLog(place, session)?.header;

/** Whether a log still has its name: it may have been erased, mended or made anew since it was opened. */
export const isCurrent = (place: Place, session: string, log: number): boolean =>
  currentLog(place, session)?.header?.tip.crc === log;

/** Whether it is that log and nothing was appended to it since it had that length. */
export function isUnchanged(
  place: Place,
  session: string,
  log: { header: LogHeader | undefined; size: number },
): boolean {
  const now = currentLog(place, session);
  return now?.size === log.size && now.header?.tip.crc === log.header?.tip.crc;
}

/** The first line of a log as it is now: another one once it was mended, none once its session was erased. */
export function laterHeader(place: Place, session: string, { tip, mended }: LogHeader): LogHeader | undefined {
  const now = currentHeader(place, session);
  return now !== undefined && (now.tip.crc === tip.crc || now.mended > mended) ? now : undefined;
}

/** Whether the session that a log is of was erased since the log was opened; another may have its name by now. */
export const isErased = (place: Place, session: string, header: LogHeader): boolean =>
  laterHeader(place, session, header) === undefined;

/** The folder of a session must be there, and be a folder. */
export function requireSession(place: Place, session: string): void {
  const folder = folderOf(place, session);
  const state = place.files.look(folder);
  if (state === undefined) throw missing(session);
  if (state.kind !== 'folder') throw notAFolder(folder);
}

/** Opens the log of a session to be read; `missing` when there is no such session. */
export function openLog(place: Place, session: string): number {
  return openOr(place, session, () => {
    throw logGone(session, logPath(place, session));
  });
}

/**
 * Makes sure that a session has a log to be taken with. Where somebody took the log away an empty one is put: it is as
 * damaged as none, and can be mended or erased.
 */
export function requireLog(place: Place, session: string): void {
  const { files } = place;
  const path = logPath(place, session);
  const makeEmpty = (): number | undefined => {
    try {
      return files.open(path, 'create');
    } catch (error) {
      // Erased or brought back at this moment.
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
      // Erased this very moment, and perhaps made anew; or somebody took the log away.
      requireSession(place, session);
      const other = files.isThere(path) ? undefined : gone();
      if (other !== undefined) return other;
    }
  };
  return attempt(`cannot open session ${JSON.stringify(session)}`, open, { session });
}
