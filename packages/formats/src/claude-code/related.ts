import { basename, dirname, join } from 'node:path';

import type { FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { findFiles } from '../files/find-files.ts';
import { wholeFile } from '../place.ts';
import type { Related } from '../session.ts';

/** Ids that become a part of a path must not lead out of the folder. */
const isPlain = (name: string): boolean => /^[\w-]+$/.test(name);

type Named = { readonly agents: ReadonlySet<string>; readonly sideFiles: ReadonlySet<string> };

/** The files of subagents, and those that hold results too long for the session itself. */
export async function relatedFiles(path: string, { agents, sideFiles }: Named, faults: FaultLog): Promise<Related[]> {
  const folder = path.replace(/\.jsonl$/, '');
  const found =
    folder === path ? [] : await findFiles({ folder: join(folder, 'subagents'), files: '**/agent-*.jsonl' });
  const related: Related[] = found.map(({ path: file }) => ({ kind: 'subagent', path: file, isThere: true }));
  for (const agent of agents) {
    const name = `agent-${agent}.jsonl`;
    if (!isPlain(agent) || related.some(({ path: file }) => basename(file) === name)) continue;
    const file = join(dirname(path), name);
    if (await isFile(file)) related.push({ kind: 'subagent', path: file, isThere: true });
  }
  for (const named of sideFiles) {
    const file = await placeOf(named, folder);
    if (file === undefined) {
      faults.add('missing-file', wholeFile(path), `A long result is said to be in ${named}, which is not there.`);
    }
    related.push({ kind: 'side-file', path: file ?? named, isThere: file !== undefined });
  }
  return related;
}

/** A session that was moved has its long results beside it still. */
async function placeOf(named: string, folder: string): Promise<string | undefined> {
  const name = named.split(/[/\\]/).at(-1) ?? '';
  const beside = join(folder, 'tool-results', name);
  for (const file of [named, beside]) if (await isFile(file)) return file;
  return undefined;
}
