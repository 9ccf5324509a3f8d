import type { SessionInfo } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';

interface Flags extends StoreFlags {
  readonly archived?: true;
  readonly all?: true;
}

const longestTitle = 60;

function rowOf({ id, updatedAt, seq, title, archived, damaged, fork, parent, importing }: SessionInfo): string[] {
  const notes = [
    ...(title === undefined ? [] : [excerpt(title, longestTitle)]),
    ...(fork === undefined ? [] : [`(fork of ${excerpt(fork.from, longestTitle)})`]),
    ...(parent === undefined ? [] : [`(works for ${excerpt(parent, longestTitle)})`]),
    ...(archived ? ['(archived)'] : []),
    ...(importing === true ? ['HALF IMPORTED: import it again, unless that is going on'] : []),
    ...(damaged === undefined ? [] : [`DAMAGED: ${visible(damaged)}`]),
  ];
  return [visible(id), visible(updatedAt), String(seq), notes.join(' ')];
}

/** `rethread sessions`: what is in a store, without reading the logs. */
export function addSessions(program: Command, shell: Shell): void {
  const command = program
    .command('sessions')
    .summary('list the sessions of a store')
    .description('List the sessions of a store, the one that was written to last first.')
    .option('--archived', 'only those that are archived')
    .option('--all', 'those that are archived too');
  onStore<Flags>(command, shell, async ({ store, flags, output }) => {
    const archived = flags.all === true ? 'any' : flags.archived === true;
    const sessions: SessionInfo[] = [];
    for await (const info of store.list({ archived })) sessions.push(info);
    sessions.sort((one, two) => (one.updatedAt < two.updatedAt ? 1 : -1));
    if (flags.json === true) {
      output.print(visibleJson({ schema: 'rethread/sessions@1', store: store.url, sessions }, 2));
    } else {
      const rows = [['session', 'written', 'records', 'about'], ...sessions.map(rowOf)];
      if (sessions.length > 0) for (const line of table(rows, output.width)) output.print(line);
      output.complain(`${sessions.length} session${sessions.length === 1 ? '' : 's'} in ${visible(store.url)}`);
    }
    const isOdd = ({ damaged, importing }: SessionInfo): boolean => damaged !== undefined || importing === true;
    return sessions.some(isOdd) ? exitCode.findings : exitCode.healthy;
  });
}
