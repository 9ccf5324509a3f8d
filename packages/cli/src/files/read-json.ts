import { type Origin, openHistory } from '../sessions/open-history.ts';
import { Unreadable } from '../unreadable.ts';
import { fileRule } from './file-rules.ts';
import { type Session, readSession } from './read-session.ts';
import { type Source, fromChunks, openFile } from './source.ts';
import { readStdin } from './stdin.ts';

/** A file that was read whole and is still open, so that its bytes can be copied. */
export interface OpenedFile {
  readonly session: Session;
  readonly source: Source;
  /** What is wrong with the file although nothing of it is lost. */
  readonly notes: readonly string[];
  /** Which tool keeps it, where it is no file of messages. */
  readonly origin?: Origin;
  readonly close: () => void;
}

/** Refuses a session of which something could not be read; gives a sentence for everything else that is wrong. */
export function refuseUnsound({ findings }: Session, advice = ''): readonly string[] {
  const lost = findings.find(({ rule }) => fileRule(rule).loss !== 'none');
  if (lost !== undefined) throw new Unreadable(`cannot be read whole: ${lost.explain}${advice}`);
  return findings.map(({ explain }) => explain);
}

/** Whether a number keeps every digit, or is always a number. */
export type Numbers = 'exact' | 'plain';

/** Reads what a session argument names: one JSON text, a list with one value in each line, or a session of a tool. */
export async function openSession(word: string, numbers: Numbers = 'exact'): Promise<OpenedFile> {
  const { source, origin, close } = await openHistory(word);
  try {
    const session = numbers === 'exact' ? readSession(source) : readSession(source, JSON.parse);
    const notes = refuseUnsound(session);
    return {
      session,
      source,
      close,
      notes,
      ...(origin === undefined ? {} : { origin, notes: [origin.note, ...notes] }),
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The value in a file, or on standard input for `-`, as the language reads it. */
export async function readJson(path: string): Promise<unknown> {
  const source = path === '-' ? { ...fromChunks(await readStdin()), close: () => {} } : openFile(path);
  try {
    const session = readSession(source, JSON.parse);
    refuseUnsound(session);
    return session.value;
  } finally {
    source.close();
  }
}
