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

/** Reads a file, or standard input for `-`: one JSON text, or a list with one value in each line. */
export async function openSession(path: string, numbers: Numbers = 'exact'): Promise<OpenedFile> {
  const source = path === '-' ? { ...fromChunks(await readStdin()), close: () => {} } : openFile(path);
  const close = (): void => source.close();
  try {
    const session = numbers === 'exact' ? readSession(source) : readSession(source, JSON.parse);
    return { session, source, notes: refuseUnsound(session), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The value in a file, or on standard input for `-`, as the language reads it. */
export async function readJson(path: string): Promise<unknown> {
  const { session, close } = await openSession(path, 'plain');
  close();
  return session.value;
}
