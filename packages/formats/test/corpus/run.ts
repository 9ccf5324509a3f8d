import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

import { check, repair } from '@rethread/core';
import { judge } from '@rethread/simulator';

import { optional } from '../../src/json.ts';
import { openSession } from '../../src/open-session.ts';
import type { Active, ToolSession } from '../../src/session.ts';
import { tools } from '../../src/tools.ts';
import { compare } from './compare.ts';

/** What became of the files of one tool. */
export type Row = { readonly tool: string; readonly counts: Readonly<Record<string, number>> };

export type Outcome = {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
  /** How often each known difference between a session and its request was met. */
  readonly reasons: ReadonlyMap<string, number>;
};

/** Folders of the corpus that hold another version of a tool. */
const SAME_TOOL: Readonly<Record<string, string>> = { pinew: 'pi' };

const toolOf = (folder: string): string => SAME_TOOL[folder] ?? folder;
const isBuilt = (tool: string): boolean => tools.some(({ id }) => id === tool);

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

type Tally = { readonly count: (name: string, by?: number) => void; readonly problem: (text: string) => void };

/** Reads every session of the corpus, and compares those that tools were seen to resume with what they sent. */
export async function runCorpus(shared: string): Promise<Outcome> {
  const rows: Row[] = [];
  const problems: string[] = [];
  const reasons = new Map<string, number>();
  for (const [place, readFolder] of [
    ['corpus', readReal],
    ['corpus-made', readMade],
  ] as const) {
    if (!existsSync(join(shared, place))) throw new Error(`there is no folder ${place} in ${shared}`);
    for (const folder of foldersIn(join(shared, place)).sort()) {
      const counts: Record<string, number> = {};
      const tally: Tally = {
        count: (name, by = 1) => void (counts[name] = (counts[name] ?? 0) + by),
        problem: (text) => void problems.push(`${place}/${folder}/${text}`),
      };
      const path = join(shared, place, folder);
      if (isBuilt(toolOf(folder))) await readFolder(path, { ...tally, reasons });
      else tally.count('not yet', foldersIn(path).length || readdirSync(path).length);
      rows.push({ tool: `${place}/${folder}`, counts });
    }
  }
  return { rows, problems, reasons };
}

type Work = Tally & { readonly reasons: Map<string, number> };

async function readReal(folder: string, work: Work): Promise<void> {
  for (const file of filesBelow(folder)) {
    const session = await openSession(file);
    work.count('files');
    if (session.tool !== toolOf(basename(folder))) {
      work.problem(`${basename(file)}: recognised as ${session.tool ?? 'nothing'}`);
      continue;
    }
    await judgeSession(session, basename(file), work);
  }
}

/** Reads all of a session, and has the repaired history judged twice. */
async function judgeSession(session: ToolSession, name: string, work: Work): Promise<Active> {
  let entries = 0;
  for await (const entry of session.entries()) entries += entry.type === '' ? 0 : 1;
  work.count('entries', entries);
  const active = await session.active();
  work.count('messages', active.messages.length);
  work.count('faults', session.faults.length);
  if (session.faults.some(({ kind }) => kind === 'reader-failed')) work.problem(`${name}: the reader failed`);
  if (active.places.length !== active.messages.length) work.problem(`${name}: not every message has its places`);
  const { dialect, model, messages } = active;
  if (messages.length === 0) {
    work.count('empty');
    return active;
  }
  const target = { dialect, ...optional('model', model) };
  const isClean = check(messages, target).verdict === 'clean';
  work.count(isClean ? 'clean' : 'repaired');
  const { output } = repair(messages, target);
  const { verdict, findings } = check(output, target);
  if (verdict !== 'clean') work.problem(`${name}: repaired, but still ${verdict}: ${findings[0]?.rule ?? ''}`);
  const [refusal] = judge(dialect, output, optional('model', model));
  if (refusal !== undefined) work.problem(`${name}: repaired, but refused: ${refusal.text}`);
  return active;
}

async function readMade(folder: string, work: Work): Promise<void> {
  for (const name of foldersIn(folder)) {
    const unpacked = unpack(join(folder, name, 'session'));
    try {
      for (const file of unpacked.files) {
        const session = await openSession(file);
        if (session.tool === undefined) continue;
        if (session.tool !== toolOf(basename(folder))) work.problem(`${name}: recognised as ${session.tool}`);
        const active = await judgeSession(session, name, work);
        compareCase(join(folder, name), active, work);
      }
      work.count('cases');
    } finally {
      unpacked.close();
    }
  }
}

function compareCase(folder: string, active: Active, work: Work): void {
  const sent = readdirSync(folder).find((name) => /^resume(-1)?\.(accepted|refused\.body)\.json$/.test(name));
  if (sent === undefined) return;
  const body: unknown = JSON.parse(readFileSync(join(folder, sent), 'utf8'));
  const tool = toolOf(basename(join(folder, '..')));
  const { difference, reasons, isException } = compare({ tool, name: basename(folder), active, body });
  for (const reason of reasons) work.reasons.set(reason, (work.reasons.get(reason) ?? 0) + 1);
  if (difference !== undefined) work.problem(`${basename(folder)}: ${difference}`);
  else work.count(isException ? 'excepted' : 'as sent');
  foretell(active, sent, { ...work, name: basename(folder) });
}

/** Whoever resumes a session says something: some rules ask what was said last. */
const PROMPTS: Readonly<Record<string, unknown>> = {
  'anthropic-messages': { role: 'user', content: 'Go on.' },
  'openai-chat': { role: 'user', content: 'Go on.' },
  'openai-responses': { role: 'user', content: 'Go on.' },
  gemini: { role: 'user', parts: [{ text: 'Go on.' }] },
};

/** What is wrong with the history, and not mended by the tool, tells whether the request was refused. */
function foretell(active: Active, sent: string, { count, problem, name }: Work & { readonly name: string }): void {
  const { dialect, model, messages, copes } = active;
  const { findings } = check([...messages, PROMPTS[dialect]], { dialect, ...optional('model', model) });
  const left = findings.filter(({ severity, rule }) => severity === 'rejected' && !copes.includes(rule));
  const wasRefused = sent.includes('refused');
  if (left.length > 0 === wasRefused) count('foretold');
  else
    problem(`${name}: the request was ${wasRefused ? 'refused' : 'accepted'}, and ${left[0]?.rule ?? 'nothing'} found`);
}

/** Databases are kept compressed, or as the rows of their tables: they are made again to be read. */
function unpack(folder: string): { readonly files: readonly string[]; readonly close: () => void } {
  const files = existsSync(folder) ? filesBelow(folder) : [];
  const packed = files.filter((file) => file.endsWith('.gz'));
  if (packed.length === 0) return { files, close: () => undefined };
  const home = mkdtempSync(join(tmpdir(), 'rethread-corpus-'));
  const rows = packed.filter((file) => file.endsWith('.rows.json.gz'));
  const copies = packed.filter((file) => !rows.includes(file));
  for (const file of copies) writeFileSync(join(home, basename(file, '.gz')), gunzipSync(readFileSync(file)));
  if (copies.length === 0) for (const file of rows) makeDatabase(file, home);
  const made = readdirSync(home).filter((name) => !/-(wal|shm|journal)$/.test(name));
  return {
    files: made.map((name) => join(home, name)),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

type Rows = readonly Readonly<Record<string, string | number | null>>[];

function makeDatabase(file: string, home: string): void {
  const tables = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Readonly<Record<string, Rows | string>>;
  const database = new DatabaseSync(join(home, basename(file, '.rows.json.gz')));
  for (const [table, rows] of Object.entries(tables)) {
    const [first] = rows;
    if (typeof rows === 'string' || first === undefined || typeof first === 'string') continue;
    const columns = Object.keys(first);
    database.exec(`CREATE TABLE "${table}" (${columns.map((name) => `"${name}"`).join(', ')})`);
    const insert = database.prepare(`INSERT INTO "${table}" VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null));
  }
  database.close();
}
