import { basename, dirname, join } from 'node:path';

import type { FaultLog } from '../fault.ts';
import { findFiles } from '../files/find-files.ts';
import { numberAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { wholeFile } from '../place.ts';
import type { Related } from '../session.ts';
import { takeSample } from '../files/sample.ts';
import { readRecord } from './records.ts';

/** A part of the history of a thread: one file, up to a byte. */
export type Segment = { readonly file: string; readonly end: number };

export type Lineage = { readonly segments: readonly Segment[]; readonly related: readonly Related[] };

const LONGEST = 64;

/** The files that a thread consists of, the oldest first: a fork continues another file instead of copying it. */
export async function lineageOf(path: string, head: readonly JsonObject[], faults: FaultLog): Promise<Lineage> {
  const segments: Segment[] = [{ file: path, end: Infinity }];
  const related: Related[] = [];
  let base = baseOf(head);
  while (base !== undefined && segments.length < LONGEST) {
    const { id, end } = base;
    const file = await findRollout(path, id);
    related.push({ kind: 'base', path: file ?? id, isThere: file !== undefined });
    if (file === undefined || segments.some((segment) => segment.file === file)) {
      faults.add('missing-file', wholeFile(path), `This session continues the rollout ${id}, which is not there.`);
      break;
    }
    segments.unshift({ file, end });
    const sample = await takeSample(file, faults);
    base = baseOf(sample?.head ?? []);
  }
  return { segments, related };
}

/** A rollout id is that of its thread, or, after a revert, one of its own. */
function baseOf(head: readonly JsonObject[]): { readonly id: string; readonly end: number } | undefined {
  const meta = head.map(readRecord).find(({ type }) => type === 'session_meta')?.payload;
  const base = objectAt(meta, 'history_base');
  const id = textAt(base, 'thread_id');
  return id === undefined ? undefined : { id, end: numberAt(base, 'end_byte_offset') ?? Infinity };
}

/** The home of Codex that a rollout belongs to; undefined for one that was taken out of it. */
export function homeOf(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (/^(archived_)?sessions$/.test(basename(folder))) return dirname(folder);
  }
  return undefined;
}

async function findRollout(from: string, id: string): Promise<string | undefined> {
  const home = homeOf(from);
  const folders = home === undefined ? [dirname(from)] : [join(home, 'sessions'), join(home, 'archived_sessions')];
  const lists = await Promise.all(folders.map(async (folder) => findFiles({ folder, files: '**/rollout-*' })));
  return lists.flat().find(({ path }) => rolloutId(path) === id)?.path;
}

const rolloutId = (path: string): string | undefined =>
  /^rollout-.{19}-(?:[^_]+_)?([^_]+?)\.jsonl(?:\.zst)?$/.exec(basename(path))?.[1];
