import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { type NextStep, copyCommand } from '../doctor/session-words.ts';
import { plural } from '../plural.ts';
import { type Listing, listSessions } from '../sessions/list-sessions.ts';
import { type Row, printTable, tally, worstFirst } from '../sessions/session-table.ts';
import { resumeCommand, toolName } from '../sessions/tool-words.ts';
import type { Shell } from '../shell.ts';
import { homePath } from '../terminal/home-path.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { shellName, visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { reasonOf } from '../unreadable.ts';

interface Flags {
  readonly all?: true;
  readonly long?: true;
  readonly json?: true;
  readonly tool?: readonly string[];
  readonly model?: string;
  readonly color: boolean;
}

/** How many rows are shown of a project, and of each tool with `--all`. */
const shown = { ofProject: 20, ofTool: 8 } as const;

const harmed: ReadonlySet<Row['verdict']> = new Set(['endangered', 'hidden', 'torn', 'refused']);

const epilogue = `
sent is the survival figure: the share of the conversation that the next request contains.
Verdicts, the worst first: endangered (the tool would destroy it), hidden (the tool does not use all of it), torn (a
part cannot be read), refused (the provider would answer 400), heavy, running, healthy.
Exit codes: 0 nothing to repair, 1 something to repair, 2 could not read.`;

/** The one thing to do next: about the worst session, or else with the newest. */
export function nextOf(rows: readonly Row[]): NextStep {
  const worst = rows.toSorted(worstFirst)[0];
  if (worst === undefined) return { why: 'There are sessions elsewhere', command: 'rethread --all' };
  if (worst.verdict === 'endangered') {
    const why = `Do not start ${toolName(worst.tool)} before there is a copy`;
    return { why, command: copyCommand(worst.path) };
  }
  if (harmed.has(worst.verdict) || worst.verdict === 'heavy') {
    return { why: 'See what happened to it', command: `rethread doctor ${shellName(worst.name)}` };
  }
  const newest = rows.toSorted((one, two) => two.modified - one.modified)[0] ?? worst;
  const command = newest.id === undefined ? undefined : resumeCommand(newest.tool, { ...newest, id: newest.id });
  if (command === undefined) return { why: 'Look at the newest', command: `rethread show ${shellName(newest.name)}` };
  return { why: 'Go on with the newest', command };
}

function printGroups(rows: readonly Row[], { long }: Flags, output: Output): void {
  const groups = [...Map.groupBy(rows, ({ tool }) => tool)];
  // The tool with the worst session comes first.
  const sorted = groups
    .map(([tool, some]) => ({ tool, some: some.toSorted(worstFirst) }))
    .sort((one, two) => worstFirst(one.some[0] as Row, two.some[0] as Row));
  for (const { tool, some } of sorted) {
    output.print('');
    output.print(output.tone('bold', visible(toolName(tool))) + output.tone('dim', `  ${tally(some)}`));
    const listed = long === true ? some : some.slice(0, shown.ofTool);
    printTable(listed, output, { withTool: false });
    if (listed.length < some.length) output.print(output.tone('dim', `… and ${some.length - listed.length} more`));
  }
}

function printProject(rows: readonly Row[], { long }: Flags, output: Output): void {
  const listed = long === true ? rows : rows.slice(0, shown.ofProject);
  printTable(listed, output, { withTool: true });
  if (listed.length < rows.length) {
    const older = rows.slice(shown.ofProject);
    output.print(output.tone('dim', `… and ${tally(older)}, which are older; --long lists them`));
  }
}

function printListing(listing: Listing, flags: Flags, output: Output): void {
  const { rows, subagents, elsewhere } = listing;
  const where = flags.all === true ? 'on this machine' : `in ${homePath(process.cwd())}`;
  if (rows.length === 0) {
    const others = elsewhere === 0 ? '' : ` There are ${plural(elsewhere, 'session')} of other projects.`;
    output.print(wrap(`No tool has left a session ${visible(where)}.${others}`, 0, output.width));
    if (elsewhere === 0) return;
  } else {
    output.print(output.tone('bold', wrap(`${tally(rows)} ${visible(where)}`, 0, output.width)));
    if (flags.all === true) printGroups(rows, flags, output);
    else printProject(rows, flags, output);
    const more = [
      ...(subagents === 0 || flags.all !== true ? [] : [`${plural(subagents, 'session')} of subagents`]),
      ...(elsewhere === 0 ? [] : [`${plural(elsewhere, 'session')} of other projects (rethread --all)`]),
    ];
    if (more.length > 0) output.print(output.tone('dim', wrap(`not listed: ${more.join(', ')}`, 0, output.width)));
  }
  const { why, command } = nextOf(rows);
  output.print('');
  output.print(output.tone('bold', `${why}:`));
  output.print(`  ${command ?? ''}`);
}

function jsonOf({ rows, subagents, elsewhere }: Listing, { all }: Flags): string {
  const listed = rows.map(({ modified, ...row }) => ({ ...row, modified: new Date(modified).toISOString() }));
  const folder = all === true ? undefined : process.cwd();
  const { command: next } = nextOf(rows);
  return visibleJson({ schema: 'rethread/list@1', folder, sessions: listed, subagents, elsewhere, next }, 2);
}

/** Lists the sessions of this project or of the machine, and gives the exit code. */
export async function runList(flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  const listing = await listSessions({
    output,
    ...(flags.all === true ? {} : { folder: process.cwd() }),
    ...(flags.tool === undefined ? {} : { tools: flags.tool }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
  });
  if (flags.json === true) output.print(jsonOf(listing, flags));
  else printListing(listing, flags, output);
  return listing.rows.some(({ verdict }) => harmed.has(verdict)) ? exitCode.findings : exitCode.healthy;
}

/** `rethread` without a word: the list of this project; gives the exit code. */
export async function listAlone(): Promise<number> {
  // Nothing is written but what may be lost, so an interrupt may end it at once.
  process.removeAllListeners('SIGINT');
  try {
    return await runList({ color: true });
  } catch (error) {
    createOutput(readTerminal(false)).complain(`rethread: ${visible(reasonOf(error))}`);
    return exitCode.unreadable;
  }
}

/** `rethread` without a command: the sessions of this project, of every tool. */
export function addList(program: Command, shell: Shell): void {
  program
    .command('list', { isDefault: true })
    .alias('ls')
    .summary('list the sessions of this project, and what is wrong with them (default)')
    .description('List the sessions of this project, from every tool found on this machine, newest first.')
    .option('--all', 'all projects, grouped by tool, worst first')
    .option('--long', 'print every row')
    .option('--tool <id...>', 'only sessions of these tools')
    .option('--model <name>', 'model to judge for (default: the one that the session names)')
    .option('--json', 'print a report for machines')
    .addHelpText('after', epilogue)
    .action(async (_: unknown, command: Command) => {
      shell.exit(await runList(command.optsWithGlobals<Flags>()));
    });
}
