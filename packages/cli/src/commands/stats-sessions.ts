import type { SessionRef } from '@rethread/formats';
import type { Command } from 'commander';

import { knownSessions } from '../sessions/known-sessions.ts';
import { exitCode } from '../doctor/job.ts';
import { plural } from '../plural.ts';
import { openNamed } from '../sessions/judged-session.ts';
import { belongsTo } from '../sessions/project.ts';
import { openCache } from '../sessions/session-cache.ts';
import { namedBy } from '../sessions/session-argument.ts';
import { toolName } from '../sessions/tool-words.ts';
import type { Shell } from '../shell.ts';
import { bar } from '../terminal/bars.ts';
import { fit, pad, padLeft } from '../terminal/fit.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { type SessionUsage, usageOfSession } from '../usage/session-usage.ts';

interface Flags {
  readonly here?: true;
  readonly tool?: readonly string[];
  readonly days: string;
  readonly json?: true;
  readonly color: boolean;
}

interface Counted extends SessionUsage {
  readonly tool: string;
  readonly day: string;
}

/** The figures of some sessions together. */
interface Sums {
  readonly sessions: number;
  readonly turns: number;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly repairsNeeded: number;
}

const barWidth = 16;
const longestName = 26;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

async function collect({ here, tool }: Flags, output: Output): Promise<Counted[]> {
  const isWanted = here === true ? belongsTo(process.cwd()) : () => true;
  const refs: SessionRef[] = [];
  for await (const ref of knownSessions(tool === undefined ? {} : { tools: tool })) if (isWanted(ref)) refs.push(ref);
  const cache = await openCache<SessionUsage>('usage', '');
  const progress = createProgress(output, { what: 'reading', unit: 'sessions', total: refs.length });
  const counted: Counted[] = [];
  try {
    for (const [index, ref] of refs.entries()) {
      let usage = cache.get(ref);
      if (usage === undefined) {
        const session = await openNamed(namedBy(ref));
        if (session === undefined) continue;
        usage = await usageOfSession(session);
        cache.set(ref, usage);
      }
      counted.push({ ...usage, tool: ref.tool, day: dayOf(ref.modified) });
      progress.at(index + 1);
    }
  } finally {
    progress.end();
    cache.close();
  }
  return counted;
}

const harmed = new Set(['endangered', 'hidden', 'torn', 'refused']);

function sumOf(some: readonly Counted[]): Sums {
  const sum = (figure: (each: Counted) => number): number => some.reduce((total, each) => total + figure(each), 0);
  return {
    sessions: some.length,
    turns: sum(({ turns }) => turns),
    requests: sum(({ requests }) => requests),
    input: sum(({ input }) => input),
    output: sum((each) => each.output),
    cached: sum(({ cached }) => cached),
    repairsNeeded: some.filter(({ verdict }) => harmed.has(verdict)).length,
  };
}

type Group = Sums & { readonly name: string };

const groupBy = (counted: readonly Counted[], key: (each: Counted) => string): Group[] =>
  [...Map.groupBy(counted, key)].map(([name, some]) => ({ name, ...sumOf(some) }));

function callsOf(counted: readonly Counted[]): { readonly name: string; readonly calls: number }[] {
  const calls = new Map<string, number>();
  for (const each of counted)
    for (const [name, count] of Object.entries(each.calls)) calls.set(name, (calls.get(name) ?? 0) + count);
  return [...calls].map(([name, count]) => ({ name, calls: count })).sort((one, two) => two.calls - one.calls);
}

/** Thousands and millions, in five columns. */
function short(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 9_950_000) return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`;
  return `${Math.round(count / 1e6)}M`;
}

function printGroups(title: string, groups: readonly Group[], output: Output): void {
  if (groups.length === 0) return;
  const most = Math.max(...groups.map(({ sessions: count }) => count));
  const width = Math.min(longestName, Math.max(title.length, ...groups.map(({ name }) => visible(name).length)));
  output.print('');
  const heads = ['sessions', 'turns', 'tokens', 'broken'].map((head) => padLeft(head, 8)).join('');
  output.print(output.tone('bold', pad(title, width)) + output.tone('dim', heads));
  for (const { name, sessions: count, turns, input, output: made, cached, repairsNeeded } of groups) {
    const figures = [count, turns, input + made + cached, repairsNeeded]
      .map((each) => padLeft(short(each), 8))
      .join('');
    output.print(`${pad(fit(visible(name), width), width)}${figures}  ${bar(count, most, barWidth)}`);
  }
}

function print(counted: readonly Counted[], { days }: Flags, output: Output): void {
  const { sessions: count, turns, requests, input, output: made, cached, repairsNeeded } = sumOf(counted);
  output.print(output.tone('bold', `${plural(count, 'session')}, ${plural(turns, 'turn')}`));
  const tokens = `${short(input)} tokens in, ${short(cached)} from the cache, ${short(made)} out`;
  output.print(`${plural(requests, 'request')}: ${tokens} (each request counted once)`);
  output.print(`${plural(repairsNeeded, 'session')} in need of repair`);
  const bySize = (one: Group, two: Group): number => two.sessions - one.sessions;
  printGroups('tool', groupBy(counted, ({ tool }) => toolName(tool)).sort(bySize), output);
  printGroups(
    'model',
    groupBy(counted, ({ model }) => model)
      .sort(bySize)
      .slice(0, 12),
    output,
  );
  const byDay = groupBy(counted, ({ day }) => day).sort((one, two) => (one.name < two.name ? 1 : -1));
  printGroups('day', byDay.slice(0, Number(days)), output);
  const calls = callsOf(counted).slice(0, 12);
  if (calls.length === 0) return;
  const most = calls[0]?.calls ?? 0;
  output.print('');
  output.print(output.tone('bold', pad('called tool', longestName)) + output.tone('dim', padLeft('calls', 8)));
  for (const { name, calls: times } of calls) {
    const head = pad(fit(visible(name), longestName), longestName);
    output.print(`${head}${padLeft(short(times), 8)}  ${bar(times, most, barWidth)}`);
  }
}

/** `rethread stats`: what tools, models and days have in common. */
export function addStatsSessions(program: Command, shell: Shell): void {
  program
    .command('stats')
    .summary('count sessions, turns and tokens by tool, model and day')
    .description('Count sessions, turns, calls, tokens and needed repairs, by tool, model and day.')
    .option('--here', 'only sessions of this project')
    .option('--tool <id...>', 'only sessions of these tools')
    .option('--days <n>', 'number of days to list', '14')
    .option('--json', 'print the figures for machines')
    .addHelpText('after', '\nFigures about the sessions of a store: rethread store stats.')
    .action(async (_: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      process.removeAllListeners('SIGINT');
      const output = createOutput(readTerminal(flags.color));
      const counted = await collect(flags, output);
      if (flags.json === true) {
        const groups = {
          tools: groupBy(counted, ({ tool }) => tool),
          models: groupBy(counted, ({ model }) => model),
          days: groupBy(counted, ({ day }) => day),
        };
        const told = { schema: 'rethread/stats-sessions@1', ...sumOf(counted), ...groups, calls: callsOf(counted) };
        output.print(visibleJson(told, 2));
      } else print(counted, flags, output);
      shell.exit(exitCode.healthy);
    });
}
