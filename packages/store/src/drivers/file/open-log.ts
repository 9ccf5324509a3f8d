import type { Journals } from './journal-file.ts';
import { nameOf, type Place, quietly } from './layout.ts';
import type { Tip } from './line.ts';
import { type LogHeader, openLog, readHeader } from './log-file.ts';
import { endKnown, entriesOf, fitting, soundTip } from './recover.ts';
import { planRedo } from './apply-journal.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, patched, type Source } from './byte-source.ts';
import type { Writer } from './writer.ts';

/** A log at one moment, sound or not, including records that are still only in a journal. */
export type Reading = {
  readonly session: string;
  readonly source: Source;
  /** The first line and size of the file itself. */
  readonly log: { readonly header: LogHeader | undefined; readonly size: number };
  readonly head: HeadNote | undefined;
  /** The end of the log, if known without a scan. */
  readonly end: Tip | undefined;
  /** A writer of this process provided the end. */
  readonly isWritten: boolean;
  close(): void;
};

type Wanted = { readonly session: string; readonly writer: Writer | undefined };

export function openReading(place: Place, journals: Journals, { session, writer }: Wanted): Reading {
  const { files } = place;
  // The journals are read first: an entry that vanishes meanwhile is already in the log.
  const name = nameOf(session);
  const entries = writer === undefined ? entriesOf(place, journals, { name, purpose: 'read' }) : [];
  const noted = readHeadNote(place, session);
  const file = openLog(place, session);
  let isOpen = true;
  const close = (): void => {
    // Closes once: the descriptor may already belong to another file.
    if (isOpen) quietly(() => files.close(file));
    isOpen = false;
  };
  try {
    const bare = fileSource(files, file);
    const header = readHeader(bare, session);
    const [head, log, isWritten] = [fitting(noted, header), { header, size: bare.size }, writer !== undefined];
    if (writer !== undefined && writer.log !== (header?.tip.crc ?? 0)) {
      // Others have mended or replaced the log, so the local writer knows nothing about it.
      close();
      return openReading(place, journals, { session, writer: undefined });
    }
    if (writer !== undefined) {
      const source = patched(bare, writer.unflushed);
      return { session, source, log, head, end: writer.committed, isWritten, close };
    }
    if (header === undefined || entries.length === 0) {
      return { session, source: bare, log, head, end: undefined, isWritten, close };
    }
    const redo = planRedo(bare, soundTip(bare, header, { head, entries }), entries);
    const source = patched(bare, redo.patches);
    const known = endKnown(source, redo, { header, head, entries });
    return { session, source, log, head: known, end: redo.end, isWritten, close };
  } catch (error) {
    close();
    throw error;
  }
}
