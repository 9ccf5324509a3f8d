import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { openSession } from '../../src/open-session.ts';
import type { Place } from '../../src/place.ts';
import { createDice, mutate } from './mutate.ts';

export type Result = {
  readonly files: number;
  readonly recognised: number;
  readonly entries: number;
  readonly messages: number;
  readonly faults: number;
  readonly slowestMs: number;
  readonly problems: readonly string[];
};

export type FuzzOptions = {
  readonly seed: number;
  readonly count: number;
  /** The folder of the corpus, whose sessions are mutated too. */
  readonly shared?: string | undefined;
};

/** A reader that takes longer than this for one small file hangs. */
const LONGEST_MS = 10_000;
const LARGEST = 400_000;

const sources = join(import.meta.dirname, '../../src');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The files that are mutated: the fixtures of every tool, a database, and real sessions where there are some. */
function seedFiles(shared: string | undefined, folder: string): string[] {
  const kept = filesBelow(sources).filter((file) => file.includes('fixtures'));
  const fixtures = kept.map((file) => (file.endsWith('.sql') ? databaseOf(file, folder) : file));
  const real = shared === undefined ? [] : filesBelow(join(shared, 'corpus'));
  const small = real.filter((file) => /\.(jsonl?|db|traj)$/.test(file) && statSync(file).size < LARGEST);
  return [...fixtures, makeDatabase(folder), ...small].sort();
}

/** Databases are no text: their fixtures are the SQL that makes them. */
function databaseOf(file: string, folder: string): string {
  const path = join(folder, `seed-${basename(file, '.sql')}.db`);
  const database = new DatabaseSync(path);
  database.exec(readFileSync(file, 'utf8'));
  database.close();
  return path;
}

/** A larger database, of opencode: its rows are on many pages. */
function makeDatabase(folder: string): string {
  const path = join(folder, 'seed-opencode.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id, title, directory, version, parent_id, revert, time_created, time_updated);
    CREATE TABLE message (id, session_id, time_created, data);
    CREATE TABLE part (id, message_id, session_id, data);
    INSERT INTO session VALUES ('ses_1', 'Title', '/project', '1.18', NULL, NULL, 1, 10)`);
  for (let turn = 0; turn < 40; turn += 1) {
    const role = turn % 2 === 0 ? 'user' : 'assistant';
    const info = JSON.stringify({ role, providerID: 'anthropic', modelID: 'claude' });
    database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(`m${turn}`, 'ses_1', turn, info);
    const part = JSON.stringify({ type: 'text', text: 'word '.repeat(turn * 10) });
    database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(`p${turn}`, `m${turn}`, 'ses_1', part);
  }
  database.close();
  return path;
}

/** Reads mutated files, and looks for throws, hangs, and lines that are neither read nor reported. */
export async function runFuzz({ seed, count, shared }: FuzzOptions): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-fuzz-'));
  const totals = { recognised: 0, entries: 0, messages: 0, faults: 0, slowestMs: 0 };
  const problems: string[] = [];
  const files = seedFiles(shared, folder);
  try {
    for (let number = 0; number < count; number += 1) {
      const dice = createDice(seed + number);
      const [first = '', ...rest] = files;
      const source = dice.pick([first, ...rest]);
      const { file, names } = mutate(readFileSync(source), dice);
      const path = join(folder, `mutated-${basename(source)}`);
      writeFileSync(path, file);
      const read = await readAll(path, file);
      rmSync(path);
      for (const key of ['recognised', 'entries', 'messages', 'faults'] as const) totals[key] += read[key];
      totals.slowestMs = Math.max(totals.slowestMs, read.ms);
      const found = [...read.problems, ...(read.ms > LONGEST_MS ? [`${read.ms} ms`] : [])];
      const where = `seed ${seed + number}, ${basename(source)}, ${names.join('+')}`;
      problems.push(...found.map((problem) => `${where}: ${problem}`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { files: count, ...totals, problems };
}

type Read = Omit<Result, 'files' | 'slowestMs'> & { readonly ms: number };

async function readAll(path: string, file: Buffer): Promise<Read> {
  const began = performance.now();
  const none = { recognised: 0, entries: 0, messages: 0, faults: 0 };
  try {
    const session = await openSession(path);
    const places: Place[] = [];
    for await (const { place } of session.entries()) places.push(place);
    const { messages, places: sources } = await session.active();
    const { faults, tool } = session;
    const failed = faults.filter(({ kind }) => kind === 'reader-failed').map(({ note }) => note);
    const lost = tool === undefined ? [] : unaccounted(file, [...places, ...faults.map(({ place }) => place)]);
    const isStray = sources.flat().some((place) => place.kind === 'line' && place.byte + place.bytes > file.length);
    return {
      recognised: tool === undefined ? 0 : 1,
      entries: places.length,
      messages: messages.length,
      faults: faults.length,
      ms: Math.round(performance.now() - began),
      problems: [...failed, ...lost, ...(isStray ? ['a place lies outside of the file'] : [])],
    };
  } catch (error) {
    return { ...none, ms: Math.round(performance.now() - began), problems: [`threw ${String(error)}`] };
  }
}

/** Lines with something on them that no entry comes from and no fault names. Documents are read as a whole. */
function unaccounted(file: Buffer, places: readonly Place[]): string[] {
  const named = new Set<number>();
  for (const place of places) for (const line of linesOf(file, place)) named.add(line);
  if (places.some(({ kind }) => kind !== 'line')) return [];
  const lines = file.toString('latin1').split('\n');
  return lines.flatMap((line, index) =>
    /^[ \t\r]*$/.test(line) || named.has(index + 1) ? [] : [`line ${index + 1} is neither read nor reported`],
  );
}

/** The lines that a place covers: a record of a text may have several. */
function linesOf(file: Buffer, place: Place): number[] {
  if (place.kind !== 'line') return [];
  const feeds = file
    .subarray(place.byte, place.byte + place.bytes)
    .toString('latin1')
    .split('\n').length;
  return Array.from({ length: feeds }, (_, index) => place.line + index);
}
