import { type Stats, realpathSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import type { SessionRef } from '@rethread/formats';

import { knownSessions } from './known-sessions.ts';
import { maxLinesBytes } from '../files/source.ts';
import { readStdin } from '../files/stdin.ts';
import { toolName } from './tool-words.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { Unreadable, systemCode } from '../unreadable.ts';
import { belongsTo } from './project.ts';
import { spool } from './spool.ts';

/** A session that was named on the command line: a file, and one of its sessions where it holds several. */
export interface Named {
  /** What reports call it. */
  readonly name: string;
  readonly path: string;
  readonly id?: string;
  /** What came through a pipe, for readers that take bytes. `path` is a copy of it then. */
  readonly chunks?: readonly Uint8Array[];
  /** Whether it was found in a folder, among others that may be no sessions. */
  readonly isFound?: true;
}

/** What a person would type to name a session again. */
export const shortId = (id: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? id.slice(0, 8) : id);

/** Ids and the first characters of ids have letters, digits and dashes, and are longer than a slip of the finger. */
const looksLikeId = (word: string): boolean => /^[\w-]{4,}$/.test(word);

const isGlob = (word: string): boolean => /[*?[{]/.test(word);

/** Copies, temporary files and whatever else is no session by its name. */
const sessionFile = /\.(jsonl?|ndjson|zst|db|sqlite)$/i;

function statsOf(word: string): Stats | undefined {
  try {
    return statSync(word, { throwIfNoEntry: false });
  } catch (error) {
    // What is too long for a name is none.
    if (systemCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** A pipe that the shell has opened for us, as for `<(command)`. Any other may wait for a writer for ever. */
const isOpenPipe = (word: string, stats: Stats): boolean =>
  stats.isFIFO() && /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(word);

async function piped(name: string, chunks: readonly Uint8Array[]): Promise<Named> {
  return { name, path: spool(chunks).path, chunks };
}

async function readPipe(path: string): Promise<Uint8Array[]> {
  const handle = await open(path, 'r');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream()) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
    if (size > maxLinesBytes) throw new Unreadable('is a pipe that does not end');
  }
  return chunks;
}

async function filesBelow(folder: string): Promise<Named[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && sessionFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: path, path, isFound: true }) as const);
}

async function matching(pattern: string): Promise<Named[]> {
  // Node before 22 has none, and could not even say that it is too old.
  const { glob } = await import('node:fs/promises');
  const paths: string[] = [];
  for await (const path of glob(pattern)) if (statsOf(path)?.isFile() === true) paths.push(path);
  if (paths.length === 0) throw new Unreadable('cannot be read: no such file');
  return paths.sort().map((path) => ({ name: path, path: realpathSync(path), isFound: true }) as const);
}

/** A session without an id of its own is named by its file. */
export const namedBy = ({ id, path }: SessionRef): Named => ({ name: id === path ? path : shortId(id), path, id });

/** The newest session of this project, or of the machine where the project has none. */
async function newest(): Promise<Named> {
  const isHere = belongsTo(process.cwd());
  let first: SessionRef | undefined;
  for await (const ref of knownSessions()) {
    if (ref.isSubagent === true) continue;
    if (isHere(ref)) return namedBy(ref);
    first ??= ref;
  }
  if (first === undefined) throw new Unreadable('names no session: no tool has left one on this machine');
  return namedBy(first);
}

const lineOf = ({ id, tool, title }: SessionRef): string =>
  `${visible(id)} (${toolName(tool)}${title === undefined ? '' : `, ${excerpt(title, 40)}`})`;

async function withId(word: string): Promise<Named> {
  const found: SessionRef[] = [];
  for await (const ref of knownSessions()) {
    if (ref.id === word) return namedBy(ref);
    if (ref.id.startsWith(word) || basename(ref.path).startsWith(word)) found.push(ref);
  }
  const [first, ...others] = found;
  if (first === undefined) throw new Unreadable('is no file, and no session has an id that begins like this');
  if (others.length === 0) return namedBy(first);
  const listed = found.slice(0, 5).map(lineOf).join(', ');
  throw new Unreadable(`is the beginning of ${found.length} ids; give more of it: ${listed}`);
}

/**
 * The sessions that a word of the command line names: `last`, an id or its first characters, a file, a folder, a glob,
 * a pipe, or `-` for standard input.
 */
export async function sessionsNamed(word: string): Promise<readonly Named[]> {
  if (word === '-') return [await piped('standard input', await readStdin())];
  const stats = statsOf(word);
  if (stats?.isFile() === true) return [{ name: word, path: resolve(word) }];
  if (stats?.isDirectory() === true) return filesBelow(word);
  if (stats !== undefined && isOpenPipe(word, stats)) return [await piped(word, await readPipe(word))];
  // Whoever opens it says why it cannot be read.
  if (stats !== undefined) return [{ name: word, path: resolve(word) }];
  if (word === 'last') return [await newest()];
  if (isGlob(word)) return matching(word);
  if (looksLikeId(word)) return [await withId(word)];
  throw new Unreadable('cannot be read: no such file');
}
