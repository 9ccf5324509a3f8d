import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';

/** `rethread unrevert`: take the newest revert back. */
export function addUnrevert(program: Command, shell: Shell): void {
  const command = program
    .command('unrevert')
    .summary('take the newest revert of a session back')
    .description(
      'Take the newest revert back: the history is as it was before it. What was written since stays in the log.',
    )
    .argument('<session>', 'the id of a session');
  onStore<StoreFlags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const { seq } = await session.unrevert();
    const [record] = await session.load({ after: seq - 1 });
    if (flags.json === true) output.print(visibleJson({ schema: 'rethread/revert@1', id, record }, 2));
    else output.print(`${visible(id)} is as it was before its newest revert; record ${seq} says so.`);
    return exitCode.healthy;
  });
}
