import type { Journals } from './journal-file.ts';
import { nameOf, type Place } from './layout.ts';
import type { Tip } from './line.ts';
import { type LogHeader, openLog, readHeader } from './log-file.ts';
import { endKnown, entriesOf, fitting, soundTip } from './recover.ts';
import { planRedo } from './redo.ts';
import { type HeadNote, readHeadNote } from './side-file.ts';
import { fileSource, patched, type Source } from './source.ts';
import type { Writer } from './writer.ts';

/** A log as it was read: the file, what counts as being in it, and where it ends if its writer is here. */
export type Reading = {
  readonly source: Source;
  readonly log: { readonly header: LogHeader | undefined; readonly size: number };
  readonly head: HeadNote | undefined;
  readonly end?: Tip;
};

type Wanted = { readonly journals: Journals; readonly session: string; readonly writer: Writer | undefined };

/** The bytes of a log, sound or not, with what its writer or a dead one has not written to it yet. */
export async function readLog<T>(place: Place, of: Wanted, action: (reading: Reading) => Promise<T>): Promise<T> {
  const { files } = place;
  const { journals, session, writer } = of;
  const entries = writer === undefined ? entriesOf(place, journals, { name: nameOf(session), purpose: 'read' }) : [];
  const noted = readHeadNote(place, session);
  const file = openLog(place, session);
  try {
    const bare = fileSource(files, file);
    const header = readHeader(bare, session);
    const [head, log] = [fitting(noted, header), { header, size: bare.size }];
    if (writer !== undefined && writer.log === (header?.tip.crc ?? 0)) {
      return await action({ source: patched(bare, writer.unflushed), log, head, end: writer.committed });
    }
    // Others have mended it or made it anew: this writer knows nothing of what is there.
    if (writer !== undefined) return await readLog(place, { ...of, writer: undefined }, action);
    if (header === undefined || entries.length === 0) return await action({ source: bare, log, head });
    const redo = planRedo(bare, soundTip(bare, header, { head, entries }), entries);
    const source = patched(bare, redo.patches);
    return await action({ source, log, head: endKnown(source, redo, { header, head, entries }) });
  } finally {
    files.close(file);
  }
}
