import { Command, CommanderError } from 'commander';

import { addChat } from './commands/chat.ts';
import { addCompact } from './commands/compact.ts';
import { addConvert } from './commands/convert.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErase } from './commands/erase.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addFork } from './commands/fork.ts';
import { addImport } from './commands/import.ts';
import { addInspect } from './commands/inspect.ts';
import { addJudge } from './commands/judge.ts';
import { addMend } from './commands/mend.ts';
import { addResume } from './commands/resume.ts';
import { addRevert } from './commands/revert.ts';
import { addSearch } from './commands/search.ts';
import { addSessions } from './commands/sessions.ts';
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
import { createOutput, readTerminal } from './terminal/output.ts';
import { visible, visibleJson } from './terminal/visible.ts';
import { Unwritable, reasonOf } from './unreadable.ts';
import { version } from './version.ts';

/** The commands on a store, in the order in which the help tells them. */
const onStores = [
  addChat,
  addResume,
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

const escapeLines = (text: string): string => text.trimEnd().split('\n').map(visible).join('\n');

function createProgram(shell: Shell): Command {
  const output = createOutput(readTerminal(false));
  const program = new Command('rethread');
  program
    .description('Pick up any agent session, from any state.')
    .version(version, '-V, --version', 'print the version')
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
  addDoctor(program, shell);
  addConvert(program, shell);
  addTurns(program, shell);
  addSlice(program, shell);
  addCompact(program, shell);
  addExplain(program);
  addInspect(program, shell);
  addJudge(program, shell);
  addSimulate(program, shell);
  addDemo(program, shell);
  for (const add of onStores) add(program, shell);
  return program;
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
export async function runProgram(args: readonly string[], shell: Shell): Promise<void> {
  const program = createProgram(shell);
  try {
    if (args.length === 0) program.help({ error: true });
    await program.parseAsync(args, { from: 'user' });
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
