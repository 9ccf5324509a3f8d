import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Root } from '../system.ts';
import { fileStat } from './file-stat.ts';

/** A file that may hold sessions. */
export type Candidate = { readonly path: string; readonly modified: number; readonly bytes: number };

/** Links among folders may form a ring; they are not followed, and nothing deeper than this is looked at. */
const DEEPEST = 12;

/** The files below a folder whose path matches. A folder that is not there has none. */
export async function findFiles({ folder, files }: Root): Promise<Candidate[]> {
  const found: Candidate[] = [];
  await walk({ folder, steps: files.split('/'), depth: 0 }, found);
  return found;
}

type Stop = { readonly folder: string; readonly steps: readonly string[]; readonly depth: number };

async function walk({ folder, steps, depth }: Stop, found: Candidate[]): Promise<void> {
  const [step = '', ...rest] = steps;
  if (!step.includes('*')) return walkNamed({ folder: join(folder, step), steps: rest, depth: depth + 1 }, found);
  if (step === '**') await walk({ folder, steps: rest, depth }, found);
  const below = step === '**' ? steps : rest;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < DEEPEST && below.length > 0 && (step === '**' || matches(step, entry.name))) {
      await walk({ folder: path, steps: below, depth: depth + 1 }, found);
    } else if (entry.isFile() && rest.length === 0 && step !== '**' && matches(step, entry.name)) {
      const stat = await fileStat(path);
      if (stat !== undefined) found.push({ path, ...stat });
    }
  }
}

/** A name without a star is looked up, where listing a large folder would take long. */
async function walkNamed({ folder: path, steps, depth }: Stop, found: Candidate[]): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isDirectory() === true && steps.length > 0 && depth <= DEEPEST)
    await walk({ folder: path, steps, depth }, found);
  if (stat?.isFile() !== true || steps.length > 0) return;
  found.push({ path, bytes: stat.size, modified: stat.mtimeMs });
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function matches(step: string, name: string): boolean {
  const pattern = step.split('*').map((piece) => piece.replace(/[$()+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(name);
}
