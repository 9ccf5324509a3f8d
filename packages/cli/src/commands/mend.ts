import { StoreError } from '@rethread/store';
import { type Command, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { plural } from '../plural.ts';

interface Flags extends StoreFlags {
  readonly keep: 'prefix' | 'salvage';
}

/** Where forks share what a prefix would cut off, there is another choice. */
function withAdvice(error: unknown): never {
  if (!(error instanceof StoreError) || error.details.sessions === undefined) throw error;
  const { code, message, details, cause } = error;
  throw new StoreError(code, `${message}, or keep all sound records with --keep salvage`, { ...details, cause });
}

/** `rethread mend`: a session that `verify` calls damaged, made writable again. */
export function addMend(program: Command, shell: Shell): void {
  const command = program
    .command('mend')
    .summary('make a damaged session usable again')
    .description(
      'Make a session that verify calls damaged usable again, in a new log. The damaged one is kept in quarantine. ' +
        'A backup, where there is one, is the better choice.',
    )
    .argument('<session>', 'the id of a session')
    .addOption(
      new Option('--keep <what>', 'prefix: what stands before the first damage; salvage: every sound record')
        .choices(['prefix', 'salvage'])
        .makeOptionMandatory(),
    );
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const before = await session.verify();
    if (before.ok) {
      if (flags.json === true) output.print(visibleJson({ schema: 'rethread/mend@1', id, mended: false }, 2));
      else output.print(`${visible(id)} is sound; there is nothing to mend`);
      return exitCode.healthy;
    }
    const { records } = await session.mend(flags.keep).catch(withAdvice);
    const { damages } = before;
    if (flags.json === true) {
      output.print(visibleJson({ schema: 'rethread/mend@1', id, mended: true, keep: flags.keep, records, damages }, 2));
    } else {
      const gone = `${damages.length} ${damages.length === 1 ? 'damage' : 'damages'}`;
      output.print(`${visible(id)} has ${plural(records, 'sound record')}; what had ${gone} is kept in its quarantine`);
    }
    return exitCode.healthy;
  });
}
