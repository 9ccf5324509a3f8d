import { type ChildReport, type Session, type SessionInfo, StoreError, type StoredRecord } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { recordLine } from '../store/record-text.ts';
import { type StoreFlags, onStore, wholeNumber } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';

interface Flags extends StoreFlags {
  readonly last: string;
  readonly all?: true;
}

const longest = 120;

function childLine({ id, state, partial, openCalls }: ChildReport): string {
  const open =
    openCalls === undefined ? '' : `, ${openCalls.length} open: ${openCalls.map(({ tool }) => tool).join(', ')}`;
  const said = partial === undefined ? '' : `: ${partial}`;
  return excerpt(`${id} (${state}${open})${said}`, longest);
}

function headLines(info: SessionInfo, children: readonly ChildReport[], output: Output): string[] {
  const { id, title, createdAt, updatedAt, seq, records, bytes, parent, fork, archived, damaged, importing } = info;
  const own = `${records} of its own, ${bytes.toLocaleString('en-US')} bytes`;
  const rows = [
    ['session', visible(id)],
    ...(title === undefined ? [] : [['title', excerpt(title, longest)]]),
    ['created', visible(createdAt)],
    ['written', visible(updatedAt)],
    ['newest', `record ${seq} (${own})`],
    ...(parent === undefined ? [] : [['works for', visible(parent)]]),
    ...(fork === undefined ? [] : [['fork of', `${visible(fork.from)} at record ${fork.at}`]]),
    ...children.map((child) => ['child', childLine(child)]),
    ...(archived ? [['archived', 'yes']] : []),
    ...(importing === true ? [['HALF IMPORTED', 'import it again, unless that is going on, or erase it']] : []),
    ...(damaged === undefined ? [] : [['DAMAGED', visible(damaged)]]),
  ];
  return table(rows, output.width);
}

async function lastRecords(session: Session, { all, last }: Flags): Promise<readonly StoredRecord[]> {
  if (all === true) return session.load();
  return (await session.load({ backward: true, limit: wholeNumber(last, 1) })).toReversed();
}

/** Gives the sentence about a damaged log; any other error is thrown. */
function damageOf(error: unknown): string {
  if (error instanceof StoreError && error.code === 'damaged') return error.message;
  throw error;
}

/** The sound records before the first damage, as many as are wanted. */
async function soundRecords(session: Session, { all, last }: Flags): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  const most = all === true ? Infinity : wholeNumber(last, 1);
  try {
    for await (const record of session.read()) {
      records.push(record);
      if (records.length > most) records.shift();
    }
  } catch (error) {
    damageOf(error);
  }
  return records;
}

interface Log {
  readonly children: readonly ChildReport[];
  readonly log: readonly StoredRecord[];
  readonly damaged?: string;
}

/** What the log of a session says; of a damaged one, what can be read of it. */
async function logOf(session: Session, flags: Flags): Promise<Log> {
  try {
    return { children: await session.children(), log: await lastRecords(session, flags) };
  } catch (error) {
    return { children: [], damaged: damageOf(error), log: await soundRecords(session, flags) };
  }
}

/** `rethread show`: one session, its children and its newest records. */
export function addShow(program: Command, shell: Shell): void {
  const command = program
    .command('show')
    .summary('show a session and its newest records')
    .description('Show what is known of a session, how far its children came, and its newest records.')
    .argument('<session>', 'the id of a session')
    .option('--last <n>', 'so many records', '20')
    .option('--all', 'all records');
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    const { children, log, ...damage } = await logOf(session, flags);
    const info = { ...(await session.info()), ...damage };
    if (flags.json === true) {
      output.print(visibleJson({ schema: 'rethread/session@1', store: store.url, ...info, children, log }, 2));
    } else {
      for (const line of [...headLines(info, children, output), '', ...log.map(recordLine)]) output.print(line);
    }
    if (info.damaged !== undefined)
      output.complain(
        'rethread: shown is what stands before the damage; verify names all of it, and mend makes it usable',
      );
    return info.damaged === undefined && info.importing !== true ? exitCode.healthy : exitCode.findings;
  });
}
