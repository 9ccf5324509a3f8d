import { type Receipt, StoreError } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';
import { plural } from '../plural.ts';

interface Flags extends StoreFlags {
  readonly yes?: true;
  readonly forks?: true;
}

const receiptLines = ({ session, records, bytes, digest, remains = [], forks }: Receipt): string[] => [
  `erased ${visible(session)}: ${plural(records, 'record')}, ${bytes.toLocaleString('en-US')} bytes, ${digest ?? 'not readable'}`,
  ...remains.map((sentence) => `  still there: ${visible(sentence)}`),
  ...forks.flatMap(receiptLines),
];

/** Where forks are in the way, there is an option for that. */
function withAdvice(error: unknown): never {
  if (!(error instanceof StoreError) || error.details.sessions === undefined) throw error;
  const { code, message, details, cause } = error;
  throw new StoreError(code, `${message}, or erase them too with --forks`, { ...details, cause });
}

/** `rethread erase`: remove a session for good. */
export function addErase(program: Command, shell: Shell): void {
  const command = program
    .command('erase')
    .summary('remove a session for good')
    .description(
      'Remove a session for good, with everything that belongs to it, and print a receipt. This cannot be undone.',
    )
    .argument('<session>', 'the id of a session')
    .option('--yes', 'really do it')
    .option('--forks', 'with the sessions that share its records');
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const { records, title } = await session.info();
    if (flags.yes !== true) {
      const name = title === undefined ? id : `${id} (${title})`;
      throw new Unreadable(`this would remove ${name} with ${plural(records, 'record')} for good; say --yes to do it`);
    }
    const receipt = await session.erase({ forks: flags.forks === true ? 'erase' : 'refuse' }).catch(withAdvice);
    if (flags.json === true) output.print(visibleJson({ schema: 'rethread/erase@1', ...receipt }, 2));
    else for (const line of receiptLines(receipt)) output.print(line);
    return exitCode.healthy;
  });
}
