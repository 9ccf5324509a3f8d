import { existsSync } from 'node:fs';

import { Command, CommanderError } from 'commander';

import { addChat } from './commands/chat.ts';
import { addCompact } from './commands/compact.ts';
import { addCompletion } from './commands/completion.ts';
import { addConvert } from './commands/convert.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErase } from './commands/erase.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addFork } from './commands/fork.ts';
import { addImport } from './commands/import.ts';
import { addInspect } from './commands/inspect.ts';
import { addList } from './commands/list.ts';
import { addJudge } from './commands/judge.ts';
import { addMcp } from './commands/mcp.ts';
import { addMend } from './commands/mend.ts';
import { addProxy } from './commands/proxy.ts';
import { addResume } from './commands/resume.ts';
import { addRevert } from './commands/revert.ts';
import { addRun } from './commands/run.ts';
import { addSearch } from './commands/search.ts';
import { addServe } from './commands/serve.ts';
import { addSessions } from './commands/sessions.ts';
import { addSearchSessions } from './commands/search-sessions.ts';
import { addShowSession } from './commands/show-session.ts';
import { addStatsSessions } from './commands/stats-sessions.ts';
import { addShow } from './commands/show.ts';
import { addSimulate } from './commands/simulate.ts';
import { addStats } from './commands/stats.ts';
import { addUnrevert } from './commands/unrevert.ts';
import { addVerify } from './commands/verify.ts';
import { addSlice } from './commands/slice.ts';
import { addTurns } from './commands/turns.ts';
import { exitCode } from './doctor/job.ts';
import { complaintOf } from './doctor/run.ts';
import type { Shell } from './shell.ts';
import { type Output, createOutput, readTerminal } from './terminal/output.ts';
import { nearest } from './terminal/nearest.ts';
import { shellName, visible, visibleJson } from './terminal/visible.ts';
import { Unreadable, Unwritable, reasonOf } from './unreadable.ts';
import { version } from './version.ts';

/** The commands on a store, in the order in which the help lists them. */
const onStores = [
  addSessions,
  addShow,
  addSearch,
  addFork,
  addRevert,
  addUnrevert,
  addExport,
  addImport,
  addVerify,
  addMend,
  addErase,
  addStats,
];

/** Commands on a store that had these names before; they are reached as `rethread store <name>` now. */
const older: ReadonlySet<string> = new Set([
  'sessions',
  'fork',
  'revert',
  'unrevert',
  'export',
  'import',
  'verify',
  'mend',
  'erase',
]);

/** Commands that are about the sessions of tools, unless a store is named. */
const both: ReadonlySet<string> = new Set(['show', 'search', 'stats']);

const namesStore = (args: readonly string[]): boolean => args.some((each) => /^--store(=|$)/.test(each));

/** The command line as it is written now. */
function asWrittenNow(args: readonly string[], output: Output): readonly string[] {
  const [name = ''] = args;
  if (!older.has(name) && !(both.has(name) && namesStore(args))) return args;
  // A script that has worked for long is left in peace.
  if (process.stderr.isTTY) output.complain(`rethread: rethread ${name} is rethread store ${name} now`);
  return ['store', ...args];
}

const aboutStores = 'List, search, fork, export, repair and erase the sessions of a store of our own.';

const escapeLines = (text: string): string => text.trimEnd().split('\n').map(visible).join('\n');

/** The command line with all of its commands. */
export function createProgram(shell: Shell): Command {
  const output = createOutput(readTerminal(false));
  const program = new Command('rethread');
  program
    .description('Pick up any agent session, from any state.')
    .version(version, '-v, --version', 'print the version')
    .option('--no-color', 'print without colours (NO_COLOR does the same)')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({
      writeOut: (text) => output.print(escapeLines(text)),
      writeErr: (text) => output.complain(escapeLines(text)),
      outputError: (text, write) => write(text.replace(/^error: /, 'rethread: ')),
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Try rethread --help.')
    .exitOverride();
  // Commands take over the settings above when they are added.
  addList(program, shell);
  addDoctor(program, shell);
  addShowSession(program, shell);
  addSearchSessions(program, shell);
  addStatsSessions(program, shell);
  addConvert(program, shell);
  addTurns(program, shell);
  addSlice(program, shell);
  addCompact(program, shell);
  addExplain(program);
  addInspect(program, shell);
  addJudge(program, shell);
  addSimulate(program, shell);
  addProxy(program, shell);
  addRun(program, shell);
  addMcp(program, shell);
  addServe(program, shell);
  addDemo(program, shell);
  addChat(program, shell);
  addResume(program, shell);
  addCompletion(program);
  const store = program.command('store').summary('manage the sessions of a store').description(aboutStores);
  for (const add of onStores) add(store, shell);
  for (const command of store.commands) command.showHelpAfterError(`Try rethread store ${command.name()} --help.`);
  for (const command of program.commands) command.showHelpAfterError(`Try rethread ${command.name()} --help.`);
  return program;
}

/** Words that people try, and what does what they want. */
const synonyms: Readonly<Record<string, string>> = {
  repair: 'doctor --fix',
  fix: 'doctor --fix',
  undo: 'doctor --undo',
  status: 'list',
  log: 'show',
  find: 'search',
  new: 'chat',
};

/** The word that stands where a command should; undefined where one does, or none is given. */
function unknownCommand(program: Command, args: readonly string[]): string | undefined {
  const [word] = args.filter((each) => each !== '--no-color');
  if (word === undefined || word.startsWith('-') || word === 'help') return undefined;
  const known = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  return known.includes(word) ? undefined : word;
}

function complaintAbout(word: string, program: Command): string {
  const meant = synonyms[word];
  const near =
    meant === undefined
      ? nearest(
          word,
          program.commands.map((command) => command.name()),
        )
      : [meant];
  const isPath = existsSync(word);
  const tries = [...(isPath ? [`doctor ${shellName(word)}`] : []), ...near].map((each) => `rethread ${each}`);
  const advice = tries.length === 0 ? 'rethread --help lists the commands' : `try ${tries.join(' or ')}`;
  return `unknown command '${visible(word)}'; ${advice}`;
}

/** Is the outcome wanted for machines? The command line that says so may be one that cannot be read. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** Tells on standard output too why nothing was done, where a machine waits for a document there. */
function printFailure(reason: string, args: readonly string[]): void {
  if (wantsJson(args)) createOutput(readTerminal(false)).print(visibleJson({ error: reason }, 0));
}

const isAnswer = ({ code }: CommanderError, args: readonly string[]): boolean =>
  ['commander.helpDisplayed', 'commander.version'].includes(code) || (code === 'commander.help' && args.length > 0);

/** Runs the command line; a usage error ends with exit code 2, like everything else that could not be done. */
export async function runProgram(given: readonly string[], shell: Shell): Promise<void> {
  const program = createProgram(shell);
  const args = asWrittenNow(given, createOutput(readTerminal(false)));
  try {
    const unknown = unknownCommand(program, args);
    if (unknown !== undefined) throw new Unreadable(complaintAbout(unknown, program));
    await program.parseAsync(
      // Both letters are in use elsewhere.
      args.map((each, index) => (each === '-V' && index === 0 ? '--version' : each)),
      { from: 'user' },
    );
  } catch (error) {
    if (error instanceof CommanderError) {
      shell.exit(isAnswer(error, args) ? exitCode.healthy : exitCode.unreadable);
      if (!isAnswer(error, args)) printFailure(error.message.replace(/^error: /, ''), args);
      return;
    }
    shell.exit(exitCode.unreadable);
    createOutput(readTerminal(false)).complain(complaintOf(error));
    if (!(error instanceof Unwritable)) printFailure(reasonOf(error), args);
  }
}
