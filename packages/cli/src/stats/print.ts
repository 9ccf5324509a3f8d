import type { Stats } from '@rethread/agent';

import { bar } from '../terminal/bars.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';
import type { Collected } from './collect.ts';
import { plural } from '../plural.ts';

const barWidth = 20;
const longestName = 48;

type Counts = Readonly<Record<string, number | undefined>>;

/** Counts with their bars, the largest first. */
function countRows(counts: Counts, suffix: (name: string) => readonly string[] = () => []): string[][] {
  const entries = Object.entries(counts).map(([name, count = 0]) => ({ name, count }));
  entries.sort((one, two) => two.count - one.count || (one.name < two.name ? -1 : 1));
  const most = Math.max(0, ...entries.map(({ count }) => count));
  const widest = String(most).length;
  return entries.map(({ name, count }) => [
    excerpt(name, longestName),
    String(count).padStart(widest),
    ...suffix(name),
    bar(count, most, barWidth),
  ]);
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')} ms`;

const losses: Readonly<Record<string, string>> = {
  none: 'nothing lost',
  synthetic: 'text put in',
  lossy: 'content lost',
};

const stops: Readonly<Record<string, string>> = {
  stop: 'stop (somebody, Ctrl-C)',
  disconnect: 'disconnect',
  deadline: 'deadline',
  crash: 'crash',
  failed: 'failed',
  none: 'none (in a turn that went on)',
};

const named = (counts: Counts, names: Readonly<Record<string, string>>): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [names[name] ?? name, count]));

interface Section {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

function repairSections({ stats: { repairs }, repairsByTool, repairedSessions }: Collected): Section[] {
  const where = repairs.total === 0 ? '' : ` in ${plural(repairedSessions, 'session')}`;
  return [
    { title: `${plural(repairs.total, 'repair')}${where}, by rule`, rows: countRows(repairs.byRule) },
    { title: 'repairs by the stop before', rows: countRows(named(repairs.byStop, stops)) },
    { title: 'repairs by tool', rows: countRows(repairsByTool) },
    { title: 'repairs by what was lost', rows: countRows(named(repairs.byLoss, losses)) },
  ];
}

function toolSection({ tools }: Stats): Section {
  const most = Math.max(0, ...Object.values(tools).map(({ calls }) => calls));
  const rows = Object.entries(tools)
    .sort(([, one], [, two]) => two.calls - one.calls)
    .map(([name, { calls, errors, unsettled, late, totalMs }]) => [
      excerpt(name, longestName),
      ...[calls, errors, unsettled, late].map(String),
      ms(totalMs / Math.max(1, calls - unsettled)),
      bar(calls, most, barWidth),
    ]);
  const head = ['tool', 'calls', 'errors', 'unsettled', 'late', 'mean', ''];
  return { title: 'tools', rows: rows.length === 0 ? [] : [head, ...rows] };
}

/** The state that a session was found in is the moment after the last save: open calls there were saved too late. */
function recoverySection({ recoveries }: Stats): Section {
  const { total, totalMs, longestMs, foundIn } = recoveries;
  const took = total === 0 ? '' : `, ${ms(totalMs / total)} in the mean, ${ms(longestMs)} at most`;
  const found = Object.entries(foundIn);
  const most = Math.max(0, ...found.map(([, { unsettled }]) => unsettled));
  const rows = found
    .sort(([, one], [, two]) => two.unsettled - one.unsettled || two.sessions - one.sessions)
    .map(([state, { sessions, unsettled }]) => [
      excerpt(state, longestName),
      String(sessions),
      String(unsettled),
      bar(unsettled, most, barWidth),
    ]);
  const head = ['last save said', 'times', 'unsettled calls', ''];
  return {
    title: `${total === 1 ? '1 recovery' : `${total} recoveries`}${took}`,
    rows: rows.length === 0 ? [] : [head, ...rows],
  };
}

/** Prints what there is to tell; what never happened is left out. */
export function printStats(collected: Collected, url: string, output: Output): void {
  const { stats, damaged } = collected;
  const { sessions, records, turns, requests, compactions, unrepaired } = stats;
  const sizes = [plural(records, 'record'), plural(turns, 'turn'), plural(requests, 'request')];
  output.print(`${plural(sessions, 'session')} in ${visible(url)}: ${sizes.join(', ')}`);
  const sections = [
    { title: 'stops', rows: countRows(named(stats.stops, stops)) },
    ...repairSections(collected),
    toolSection(stats),
    recoverySection(stats),
    { title: 'requests tried again, by reason', rows: countRows(stats.retries) },
    { title: 'streams asked for once more in one piece, by reason', rows: countRows(stats.fallbacks) },
  ];
  for (const { title, rows } of sections) {
    if (rows.length === 0) continue;
    output.print('');
    output.print(output.tone('bold', title));
    for (const line of table(rows, undefined)) output.print(`  ${line}`);
  }
  if (stats.repairs.total === 0) output.print('nothing was repaired');
  if (compactions > 0) output.print(plural(compactions, 'compaction'));
  if (unrepaired > 0) output.print(`${plural(unrepaired, 'request')} sent without repair, because it was turned off`);
  for (const { session, problem } of damaged) output.complain(`DAMAGED ${visible(session)}: ${visible(problem)}`);
}
