import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visibleJson } from '../terminal/visible.ts';

/** `rethread stats`: how the sessions of a store went. */
export function addStats(program: Command, shell: Shell): void {
  const command = program
    .command('stats')
    .summary('count stops, repairs, recoveries and losses')
    .description(
      'Count what happened to sessions: what was repaired, after which stop, in which tool, what was lost, how long recovery took, and at which moment of saving calls were left unsettled.',
    )
    .argument('[session]', 'the id of a session; all of them where nothing is said');
  onStore<StoreFlags>(command, shell, async ({ store, flags, output }, id) => {
    const [{ collect }, { printStats }] = await Promise.all([
      import('../stats/collect.ts'),
      import('../stats/print.ts'),
    ]);
    const collected = await collect(store, id);
    if (flags.json === true) {
      const { stats, ...more } = collected;
      output.print(visibleJson({ schema: 'rethread/stats@1', store: store.url, ...stats, ...more }, 2));
    } else printStats(collected, store.url, output);
    return collected.damaged.length === 0 ? exitCode.healthy : exitCode.findings;
  });
}
