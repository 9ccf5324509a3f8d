import { randomBytes } from 'node:crypto';

import { type Dialect, rules } from '@rethread/core';
import { type Command, Option } from 'commander';

import type { DoctorJob } from '../doctor/job.ts';
import { refusalOf } from '../doctor/refusal.ts';
import { runJob } from '../doctor/worker.ts';
import { readStdin } from '../files/stdin.ts';
import { readTerminal } from '../terminal/output.ts';
import type { Shell } from '../shell.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags {
  readonly json?: true;
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

async function jobOf(files: readonly string[], flags: Flags): Promise<DoctorJob> {
  const { model, dialect, as } = flags;
  return {
    files,
    ...(files.includes('-') ? { stdin: await readStdin() } : {}),
    mode: flags.undo === true ? 'undo' : flags.fix === true ? 'fix' : 'look',
    target: {
      ...(dialect === undefined ? {} : { dialect }),
      ...(model === undefined ? {} : { model }),
      ...(as === undefined ? {} : { purpose: as }),
    },
    policy: flags.policy,
    ...(flags.refusal === undefined ? {} : { refusal: refusalOf(flags.refusal), refusalGiven: flags.refusal }),
    force: flags.force === true,
    print: flags.json === true ? 'json' : flags.quiet === true ? 'quiet' : 'text',
    all: flags.all === true,
    terminal: readTerminal(flags.color),
    token: randomBytes(12).toString('hex'),
  };
}

/** `rethread doctor`: says what is wrong with a session, and with `--fix` makes it sendable again. */
export function addDoctor(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('doctor')
    .summary('find out what is wrong with a session, and repair it')
    .description('Examine saved sessions (JSON or JSONL). Changes nothing unless told to with --fix or --undo.')
    .argument('<file...>', 'session files; - is standard input')
    .option('--fix', 'repair the file in its place, and keep the original beside it as <name>.rethread-backup')
    .addOption(new Option('--undo', 'put the newest backup back').conflicts('fix'))
    .option('--json', 'print a report for machines')
    .option('--model <name>', 'judge by the rules of this model; without it by the strictest')
    .addOption(
      new Option('--dialect <name>', 'the dialect, where it cannot be told from the content').choices(dialects),
    )
    .addOption(
      new Option('--policy <name>', 'what a repair does with what is not whole')
        .choices(['preserve', 'discard'])
        .default('preserve'),
    )
    .addOption(
      new Option('--as <purpose>', 'judge as a request about to be sent, or as a stored history').choices([
        'request',
        'history',
      ]),
    )
    .option('--refusal <text>', 'what the provider answered, or a file with it: repair what it names')
    .option('--force', 'go on although the file does not look like a history')
    .option('--all', 'print every finding, not only the first 20')
    .addOption(new Option('--quiet', 'print one line for each file with findings, and nothing else').conflicts('json'))
    .addHelpText('after', epilogue)
    .action(async (files: string[], _: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (files.length > new Set(files).size) throw new Unreadable('the same file is named twice');
      shell.exit(await runJob(await jobOf(files, flags), shell.entry));
    });
}
