import { join } from 'node:path';

import type { SessionInfo } from '../../driver.ts';
import { folderOf, type Place } from './layout.ts';
import { encodeLine, type Meta, readLine, seedOf } from './line.ts';
import { replace } from './replace.ts';
import { readBytes, readIfThere } from './byte-source.ts';

/** Where a log ended at some moment, stored beside it. It reveals records that vanish from the end. */
export type HeadNote = {
  /** The checksum of the log's first line. A note about an earlier log does not count. */
  readonly log: number;
  readonly offset: number;
  readonly seq: number;
  readonly crc: number;
  readonly epoch: number;
};

/** A list entry and the place in the log it describes. It is a cache: without it the log is read. */
export type InfoNote = {
  readonly log: number;
  readonly offset: number;
  readonly crc: number;
  readonly info: SessionInfo;
};

const nothing = Buffer.from('null');
const headName = 'head.json';
const infoName = 'info.json';

/** Replaces a small file. Its line has a checksum; a damaged one counts as absent. */
function writeSide(
  place: Place,
  where: { session: string; name: string; sync: boolean; isTrue: () => boolean },
  meta: Meta,
): void {
  const { session, name, sync, isTrue } = where;
  const path = join(folderOf(place, session), name);
  const { bytes } = encodeLine({ seq: 0, record: nothing, meta }, seedOf(session));
  replace(place, { path, bytes, sync }, isTrue);
}

function readSide(place: Place, session: string, name: string): Meta | undefined {
  return readIfThere(place.files, join(folderOf(place, session), name), (source) => {
    const bytes = readBytes(source, 0, source.size);
    const line = readLine(bytes, 0, bytes.length - 1);
    return line?.link === seedOf(session) ? line.meta : undefined;
  });
}

export function readHeadNote(place: Place, session: string): HeadNote | undefined {
  return readSide(place, session, headName)?.['head'] as HeadNote | undefined;
}

/** Writes nothing if the writer has lost the session, which then has a newer head. */
export function writeHeadNote(place: Place, session: string, note: { head: HeadNote; isTrue: () => boolean }): void {
  const { head, isTrue } = note;
  writeSide(place, { session, name: headName, sync: place.durability !== 'os', isTrue }, { head });
}

export function readInfoNote(place: Place, session: string): InfoNote | undefined {
  return readSide(place, session, infoName)?.['note'] as InfoNote | undefined;
}

/** Writes nothing if its log is gone. */
export function writeInfoNote(place: Place, session: string, told: { note: InfoNote; isTrue: () => boolean }): void {
  const { note, isTrue } = told;
  writeSide(place, { session, name: infoName, sync: false, isTrue }, { note });
}
