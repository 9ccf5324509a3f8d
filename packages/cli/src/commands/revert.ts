import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags extends StoreFlags {
  readonly to: string;
}

/** A record by its number, or a time that begins with its date: JavaScript takes `-1` and `record 5` for times too. */
function toTarget(text: string): number | Date {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const time = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : NaN);
  if (Number.isNaN(time.getTime())) throw new Unreadable(`${JSON.stringify(text)} is no record and no time`);
  return time;
}

/** `rethread revert`: go on from an earlier record. */
export function addRevert(program: Command, shell: Shell): void {
  const command = program
    .command('revert')
    .summary('go on from an earlier record of a session')
    .description(
      'Go on from an earlier record. What came after it stays in the log, leaves the history, and comes back with unrevert.',
    )
    .argument('<session>', 'the id of a session')
    .requiredOption('--to <record>', 'the record to go back to, or a time such as 2026-11-16T08:00:00Z');
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const { seq } = await session.revert({ to: toTarget(flags.to) });
    const [record] = await session.load({ after: seq - 1 });
    if (flags.json === true) output.print(visibleJson({ schema: 'rethread/revert@1', id, record }, 2));
    else output.print(`${visible(id)} goes on from ${visible(flags.to)}; record ${seq} says so.`);
    const history = await session.project();
    if (history === undefined || history.messages.length === 0) {
      output.complain('rethread: no message comes before that, so its history is empty now; unrevert brings it back');
    }
    return exitCode.healthy;
  });
}
