import type { SessionRow, Summary, Verdict } from '../api.ts';
import { dayWords, projectWords, toolName } from './words.ts';

/** How the list of sessions is set, as the address says it. */
export type Arrangement = {
  readonly words: string;
  readonly verdict: string;
  readonly group: string;
  readonly sort: string;
  /** Whether subagents are shown too. */
  readonly withAgents: boolean;
};

export const GROUPS = ['none', 'project', 'tool', 'day'] as const;

export type Item =
  | { readonly kind: 'group'; readonly name: string; readonly count: number }
  | { readonly kind: 'session'; readonly row: SessionRow; readonly summary: Summary | undefined };

/** The worst first. */
const BADNESS: Readonly<Record<Verdict, number>> = {
  endangered: 0,
  refused: 1,
  hidden: 2,
  torn: 3,
  unreadable: 4,
  heavy: 5,
  running: 6,
  healthy: 7,
};

type Both = { readonly row: SessionRow; readonly summary: Summary | undefined };

const unread = 9;
const ORDERS: Readonly<Record<string, (a: Both, b: Both) => number>> = {
  activity: (a, b) => b.row.modified - a.row.modified,
  verdict: (a, b) => badness(a) - badness(b) || b.row.modified - a.row.modified,
  survival: (a, b) => (a.summary?.survival ?? 2) - (b.summary?.survival ?? 2),
  turns: (a, b) => (b.summary?.turns ?? -1) - (a.summary?.turns ?? -1),
  tokens: (a, b) => (b.summary?.tokens ?? -1) - (a.summary?.tokens ?? -1),
  size: (a, b) => b.row.bytes - a.row.bytes,
  title: (a, b) => nameOf(a.row).localeCompare(nameOf(b.row)),
};

const badness = ({ summary }: Both): number => (summary === undefined ? unread : BADNESS[summary.verdict]);

export const nameOf = ({ title, id }: SessionRow): string => title ?? id;

/** Whether every word is somewhere in what the list shows of a session. */
function matches({ title, id, cwd, tool, file }: SessionRow, words: readonly string[]): boolean {
  const text = `${title ?? ''} ${id} ${cwd ?? ''} ${tool} ${toolName(tool)} ${file}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Given = { readonly rows: readonly SessionRow[]; readonly summaries: ReadonlyMap<string, Summary> };

/** The sessions that are wanted, in their order and groups. */
export function arrange({ rows, summaries }: Given, { words, verdict, group, sort, withAgents }: Arrangement): Item[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows
    .filter((row) => (withAgents || row.isSubagent !== true) && matches(row, wanted))
    .map((row): Both => ({ row, summary: summaries.get(row.key) }))
    .filter(({ summary }) => verdict === '' || summary?.verdict === verdict)
    .sort(ORDERS[sort] ?? ORDERS['activity']);
  const grouping = { project: projectOf, tool: toolOf, day: dayOf }[group];
  if (grouping === undefined) return found.map((each) => ({ kind: 'session', ...each }));
  const groups = [...Map.groupBy(found, grouping)];
  // Days follow one another; other groups begin with the one that was used last.
  return groups.flatMap(([name, members]): Item[] => [
    { kind: 'group', name, count: members.length },
    ...members.map((each): Item => ({ kind: 'session', ...each })),
  ]);
}

const projectOf = ({ row }: Both): string => projectWords(row.cwd) || 'No folder';
const toolOf = ({ row }: Both): string => toolName(row.tool);
const dayOf = ({ row }: Both): string => dayWords(row.modified);
