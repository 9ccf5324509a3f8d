import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore, wholeNumber } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';

interface Flags extends StoreFlags {
  readonly at?: string;
  readonly id?: string;
  readonly title?: string;
}

/** `rethread fork`: a session that shares the beginning of another one. */
export function addFork(program: Command, shell: Shell): void {
  const command = program
    .command('fork')
    .summary('start a session from a record of another one')
    .description(
      'Start a session that shares the records of another one up to a record, and goes its own way from there.',
    )
    .argument('<session>', 'the id of a session')
    .option('--at <record>', 'the last record that is shared; the newest where nothing is said')
    .option('--id <id>', 'the id of the new session; made up where nothing is said')
    .option('--title <text>', 'the title of the new session');
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const made = await session.fork({
      ...(flags.at === undefined ? {} : { at: wholeNumber(flags.at) }),
      ...(flags.id === undefined ? {} : { id: flags.id }),
      ...(flags.title === undefined ? {} : { title: flags.title }),
    });
    const { fork } = await made.info();
    if (flags.json === true) output.print(visibleJson({ schema: 'rethread/fork@1', id: made.id, fork }, 2));
    else output.print(visible(made.id));
    return exitCode.healthy;
  });
}
