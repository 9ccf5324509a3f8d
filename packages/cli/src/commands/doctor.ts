import { randomBytes } from 'node:crypto';

import { type Dialect, rules } from '@rethread/core';
import { type Command, Option } from 'commander';

import type { DoctorJob, Patient } from '../doctor/job.ts';
import { patientsOf } from '../doctor/patients.ts';
import { refusalOf } from '../doctor/refusal.ts';
import { watch } from '../doctor/watch.ts';
import { runJob } from '../doctor/worker.ts';
import { createOutput, readTerminal } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { writeReport } from '../report/write-report.ts';
import { listSessions } from '../sessions/list-sessions.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import { rowOf } from '../sessions/session-table.ts';
import type { Shell } from '../shell.ts';
import { Unreadable } from '../unreadable.ts';
import { runList } from './list.ts';

interface Flags {
  readonly json?: true;
  readonly sarif?: true;
  readonly report?: string;
  readonly withText?: true;
  readonly watch?: true;
  readonly out?: string;
  readonly fix?: true;
  readonly undo?: true;
  readonly quiet?: true;
  readonly force?: true;
  readonly all?: true;
  readonly model?: string;
  readonly dialect?: Dialect;
  readonly policy: DoctorJob['policy'];
  readonly as?: 'request' | 'history';
  readonly refusal?: string;
  readonly color: boolean;
}

const epilogue = `
A place such as m17.2 is part 2 of message 17, counted from 0 as in a JSON pointer.
Exit codes: 0 healthy (or only wasteful, or repaired), 1 findings, 2 could not read or write.`;

function jobOf(patients: readonly Patient[], flags: Flags): DoctorJob {
  const { model, dialect, as } = flags;
  return {
    patients,
    ...(flags.out === undefined ? {} : { out: flags.out }),
    mode: flags.undo === true ? 'undo' : flags.fix === true ? 'fix' : 'look',
    target: {
      ...(dialect === undefined ? {} : { dialect }),
      ...(model === undefined ? {} : { model }),
      ...(as === undefined ? {} : { purpose: as }),
    },
    policy: flags.policy,
    ...(flags.refusal === undefined ? {} : { refusal: refusalOf(flags.refusal), refusalGiven: flags.refusal }),
    force: flags.force === true,
    print: flags.json === true ? 'json' : flags.sarif === true ? 'sarif' : flags.quiet === true ? 'quiet' : 'text',
    all: flags.all === true,
    terminal: readTerminal(flags.color),
    token: randomBytes(12).toString('hex'),
  };
}

async function runDoctorOn(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  if (flags.out !== undefined && words.length > 1) throw new Unreadable('--out takes one session at a time');
  if (words.length > new Set(words).size) throw new Unreadable('the same file is named twice');
  const output = createOutput(readTerminal(flags.color));
  const patients = await patientsOf(words, { ...flags, output });
  process.once('SIGINT', () => process.exit(130));
  const code = await runJob(jobOf(patients, flags), shell.entry);
  const { report: path, withText = false, model } = flags;
  if (path === undefined) return code;
  await writeReport(patients, { path, withText, ...(model === undefined ? {} : { model }) });
  output.complain(`rethread: wrote ${visible(path)}; read it before you share it`);
  return code;
}

/** Watches the sessions that are named, or all of this project. */
async function watchSessions(words: readonly string[], flags: Flags): Promise<void> {
  const output = createOutput(readTerminal(flags.color));
  process.removeAllListeners('SIGINT');
  const quiet = { ...output, progress: () => undefined };
  const project = flags.all === true ? {} : { folder: process.cwd() };
  if (words.includes('-')) throw new Unreadable('standard input cannot be watched; give the name of a file');
  await watch(async () => {
    if (words.length === 0) return (await listSessions({ ...project, output: quiet })).rows;
    return (await patientsOf(words, { ...flags, output: quiet })).flatMap((patient) =>
      patient.kind === 'session' ? [rowOf(patient)] : [],
    );
  }, output);
}

/** `rethread doctor`: says what is wrong with a session, and with `--fix` makes it sendable again. */
export function addDoctor(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('doctor')
    .aliases(['check', 'validate'])
    .summary('find out what is wrong with a session, and repair it')
    .description(
      'Judge sessions of any tool, and saved histories. Changes nothing unless told to with --fix or --undo.',
    )
    .argument('[session...]', `${sessionHelp}; also folders and globs (default: list the sessions of this project)`)
    .option('--fix', 'repair a file of messages in place, and keep a backup beside it as <name>.rethread-backup')
    .addOption(new Option('--undo', 'restore the newest backup').conflicts('fix'))
    .addOption(
      new Option('-o, --out <file>', 'new file for the repaired history, for what --fix cannot write').conflicts([
        'fix',
        'undo',
      ]),
    )
    .option('--json', 'print a report for machines; its JSON Schema is in the package')
    .addOption(new Option('--sarif', 'print the findings as SARIF 2.1.0').conflicts(['json', 'quiet']))
    .option('--report <file>', 'write a report for a bug tracker, in Markdown, without any text of the session')
    .option('--with-text', 'with --report: include messages, without what looks like a secret')
    .option('--watch', 'print a line whenever the verdict on a session changes')
    .option('--model <name>', 'model to judge for (default: the one that the session names, or else the strictest)')
    .addOption(new Option('--dialect <name>', 'dialect of the file (default: detected)').choices(dialects))
    .addOption(
      new Option('--policy <name>', 'how to repair incomplete calls and messages')
        .choices(['preserve', 'discard'])
        .default('preserve'),
    )
    .addOption(
      new Option('--as <purpose>', 'judge as a request about to be sent, or as a stored history').choices([
        'request',
        'history',
      ]),
    )
    .option('--refusal <text>', "the provider's error message, or a file with it: repair what it names")
    .option('--force', 'take the file for a history, whatever it looks like')
    .option('--all', 'print every finding; without a session: list those of all projects')
    .addOption(
      new Option('--quiet', 'print one line for each session with findings, and nothing else').conflicts('json'),
    )
    .addHelpText('after', epilogue)
    .action(async (words: string[], _: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (flags.watch === true) await watchSessions(words, flags);
      else if (words.length === 0) shell.exit(await runList(flags));
      else shell.exit(await runDoctorOn(words, flags, shell));
    });
}
