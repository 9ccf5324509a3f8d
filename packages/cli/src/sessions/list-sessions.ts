import { RUNNING_MS, SESSION_VERDICTS, type SessionRef, type SessionVerdict, judgeSession } from '@rethread/formats';

import type { Output } from '../terminal/output.ts';
import { knownSessions } from './known-sessions.ts';
import { createProgress } from '../terminal/progress.ts';
import { openNamed } from './judged-session.ts';
import { belongsTo } from './project.ts';
import { type SessionCache, openCache } from './session-cache.ts';
import { namedBy } from './session-argument.ts';
import type { Row } from './session-table.ts';

export interface Listing {
  readonly rows: readonly Row[];
  /** Sessions of subagents, which have no row of their own. */
  readonly subagents: number;
  /** Sessions of other projects. */
  readonly elsewhere: number;
}

/** What is remembered of a session for as long as its file stays as it is. */
interface Remembered {
  readonly turns: number;
  /** The worst verdict that does not depend on the time. */
  readonly verdict: SessionVerdict;
  readonly share: number;
}

export interface ListOptions {
  /** The folder whose project is meant; undefined for the whole machine. */
  readonly folder?: string;
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly output: Output;
}

/** The sessions of a project, or of the machine, as their heads and tails tell. The newest come first. */
async function find({ folder, tools }: ListOptions): Promise<Omit<Listing, 'rows'> & { refs: SessionRef[] }> {
  const isWanted = folder === undefined ? () => true : belongsTo(folder);
  const refs: SessionRef[] = [];
  const counts = { subagents: 0, elsewhere: 0 };
  for await (const ref of knownSessions(tools === undefined ? {} : { tools })) {
    if (ref.isSubagent === true) counts.subagents += 1;
    else if (isWanted(ref)) refs.push(ref);
    else counts.elsewhere += 1;
  }
  return { refs, ...counts };
}

/** Whether a session is at work depends on the time, so it is never remembered. */
const isRunning = ({ modified }: SessionRef): boolean => Date.now() - modified < RUNNING_MS;

async function judge(ref: SessionRef, model: string | undefined): Promise<Remembered> {
  const session = await openNamed(namedBy(ref));
  // It was there when it was found; whatever has become of it cannot be told of any more.
  if (session === undefined) return { turns: 0, verdict: 'torn', share: 0 };
  const { turns, verdict, survival } = await judgeSession(session, model === undefined ? {} : { model });
  return { turns, verdict, share: survival.share };
}

async function rowFor(ref: SessionRef, cache: SessionCache<Remembered>, model: string | undefined): Promise<Row> {
  const known = cache.get(ref);
  const judged = known ?? (await judge(ref, model));
  if (known === undefined) cache.set(ref, judged);
  const isWorse = SESSION_VERDICTS.indexOf(judged.verdict) < SESSION_VERDICTS.indexOf('running');
  const verdict = isRunning(ref) && !isWorse ? 'running' : judged.verdict;
  const { id, path, tool, bytes, modified, title } = ref;
  const named = { name: namedBy(ref).name, path, tool, bytes, modified, id };
  return { ...named, ...(title === undefined ? {} : { title }), ...judged, verdict };
}

/** Finds and judges the sessions of a project, or of the whole machine. */
export async function listSessions(options: ListOptions): Promise<Listing> {
  const { output, model } = options;
  const { refs, ...counts } = await find(options);
  const cache = await openCache<Remembered>('judged', model ?? '');
  const progress = createProgress(output, { what: 'judging', unit: 'sessions', total: refs.length });
  const rows: Row[] = [];
  try {
    for (const ref of refs) {
      rows.push(await rowFor(ref, cache, model));
      progress.at(rows.length);
    }
  } finally {
    progress.end();
    cache.close();
  }
  return { rows, ...counts };
}
