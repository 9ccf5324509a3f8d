import type { InfoChange, NewSession, SessionInfo } from '../../driver.ts';
import { decodeRecord } from '../../record.ts';
import { fullLength } from './blobs.ts';
import { isTip } from './recover.ts';
import { type Place, quietly } from './layout.ts';
import type { LogHeader } from './log-file.ts';
import type { Tip } from './line.ts';
import { type Seen, scanAll } from './scan.ts';
import { type InfoNote, writeInfoNote } from './side-file.ts';
import { readBytes, type Source } from './byte-source.ts';
import { wholeInfo } from './writer.ts';

/** The fixed properties of a session when nothing tells them any more. */
export const unknownAbout: NewSession = { createdAt: '1970-01-01T00:00:00.000Z', base: 0 };

export const newInfo = (id: string, about: NewSession): SessionInfo => ({
  ...about,
  id,
  updatedAt: about.createdAt,
  seq: about.base,
  records: 0,
  bytes: 0,
  archived: false,
});

type Change = Partial<InfoChange>;

/** Adds one line to a list entry, except its time. */
function addLine(info: SessionInfo, { fields, meta }: Seen): SessionInfo {
  const length = fields.recordEnd - fields.recordAt;
  const { imported, ...change } = meta?.info ?? {};
  return {
    ...(imported === true ? wholeInfo(info) : info),
    ...change,
    seq: fields.seq,
    records: info.records + 1,
    bytes: info.bytes + fullLength(length, meta?.blobs ?? []),
  };
}

/** The time of the last line. Usually only its record has it, so only this record is decoded. */
function timeOf(source: Source, last: { at: number; length: number; change: Change | undefined }): string | undefined {
  return last.change?.updatedAt ?? decodeRecord(readBytes(source, last.at, last.length))?.at;
}

export type Told = { readonly info: SessionInfo; readonly tip: Tip };

/** The list entry of a log, from the note beside it and the lines appended since. */
export function tellInfo(
  about: { session: string; header: LogHeader; note: InfoNote | undefined },
  source: Source,
): Told {
  const { session, header, note } = about;
  const fold = (from: Tip, start: SessionInfo): Told & { going: boolean } => {
    let [info, whole] = [start, start];
    let last: { at: number; length: number; change: Change | undefined } | undefined;
    const scan = scanAll(source, from, (seen) => {
      const { fields, meta, start: bufferAt } = seen;
      info = addLine(info, seen);
      if (meta?.more !== undefined) return;
      whole = info;
      const length = fields.recordEnd - fields.recordAt;
      last = { at: bufferAt + fields.recordAt, length, change: meta?.info };
    });
    const updatedAt = last === undefined ? undefined : timeOf(source, last);
    const told = updatedAt === undefined ? whole : { ...whole, updatedAt };
    return { info: told, tip: scan.whole, going: scan.whole.offset > from.offset };
  };
  if (note !== undefined && note.log === header.tip.crc && note.offset <= source.size) {
    const from = { offset: note.offset, seq: note.info.seq, crc: note.crc };
    if (from.offset === source.size) return { info: note.info, tip: from };
    const told = fold(from, note.info);
    if (told.going || isTip(source, from, header)) return told;
  }
  return fold(header.tip, newInfo(session, header.about));
}

/** Updates the note. It is only a cache, so a failure does not matter. */
export function noteInfo(place: Place, log: number, { info, tip, isTrue }: Told & { isTrue: () => boolean }): void {
  quietly(() => writeInfoNote(place, info.id, { note: { log, offset: tip.offset, crc: tip.crc, info }, isTrue }));
}
