import { Unreadable } from '../unreadable.ts';
import { readSession } from './read-session.ts';
import { type Source, fromChunks, openFile } from './source.ts';
import { readStdin } from './stdin.ts';

function sound(source: Source): unknown {
  const { value, findings } = readSession(source);
  const [finding] = findings;
  if (finding !== undefined) throw new Unreadable(`cannot be read whole: ${finding.explain}`);
  return value;
}

/** The value in a file, or on standard input for `-`: one JSON text, or a list with one value in each line. */
export async function readJson(path: string): Promise<unknown> {
  if (path === '-') return sound(fromChunks(await readStdin()));
  const source = openFile(path);
  try {
    return sound(source);
  } finally {
    source.close();
  }
}
