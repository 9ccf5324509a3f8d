import { type SessionInfo, type SessionVerdict, type Store, StoreError } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { plural } from '../plural.ts';

async function* verdictsOf(store: Store, id: string | undefined): AsyncGenerator<SessionVerdict> {
  if (id !== undefined) {
    yield (await store.session(id)).verify();
    return;
  }
  for await (const info of store.list({ archived: 'any' })) {
    const verdict = await verdictOn(store, info);
    if (verdict !== undefined) yield verdict;
  }
}

/** The verdict on a session that was listed, also where it cannot be opened; undefined when it was erased since. */
async function verdictOn(store: Store, info: SessionInfo): Promise<SessionVerdict | undefined> {
  const { id, seq, damaged } = info;
  try {
    return await (await store.session(id)).verify();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code, message } = error;
    if (code === 'missing' && damaged === undefined) return undefined;
    if (!['missing', 'damaged', 'unsafe', 'not-ours'].includes(code)) throw error;
    const kind = code === 'missing' ? 'unreadable' : code;
    const damages = [{ kind, sentence: damaged ?? message, session: id }];
    return { session: id, ok: false, seq, records: 0, bytes: 0, damages };
  }
}

function printVerdict({ session, ok, records, digest, damages }: SessionVerdict, output: Output): void {
  const state = ok ? output.tone('green', 'sound') : output.tone('red', 'DAMAGED');
  output.print(
    `${visible(session)}  ${state}  ${plural(records, 'record')}${digest === undefined ? '' : `  ${digest}`}`,
  );
  for (const { kind, sentence, seq, offset } of damages) {
    const place = [
      ...(seq === undefined ? [] : [`record ${seq}`]),
      ...(offset === undefined ? [] : [`byte ${offset}`]),
    ];
    output.print(`  ${visible([kind, ...place].join(', '))}: ${visible(sentence)}`);
  }
}

/** `rethread verify`: every record of a session, or of all, read and proved. */
export function addVerify(program: Command, shell: Shell): void {
  const command = program
    .command('verify')
    .summary('read and prove every record')
    .description('Read and prove every record of a session, or of all sessions. Nothing is changed.')
    .argument('[session]', 'the id of a session; all of them where nothing is said');
  onStore<StoreFlags>(command, shell, async ({ store, flags, output }, id) => {
    const verdicts: SessionVerdict[] = [];
    for await (const verdict of verdictsOf(store, id)) {
      verdicts.push(verdict);
      if (flags.json !== true) printVerdict(verdict, output);
    }
    const damaged = verdicts.filter(({ ok }) => !ok).length;
    if (flags.json === true) {
      output.print(visibleJson({ schema: 'rethread/verify@1', store: store.url, verdicts }, 2));
    } else {
      output.complain(`${verdicts.length - damaged} sound, ${damaged} damaged`);
    }
    return damaged === 0 ? exitCode.healthy : exitCode.findings;
  });
}
