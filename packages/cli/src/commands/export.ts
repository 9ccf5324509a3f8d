import { open, unlink } from 'node:fs/promises';

import type { ExportEnd } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';
import { plural } from '../plural.ts';

interface Flags extends StoreFlags {
  readonly output?: string;
}

/**
 * Writes a file that is not there yet, for its owner alone; half an export does not stay. What was written is told by
 * its last line: the session may be longer by now.
 */
async function save(path: string, chunks: AsyncIterable<Uint8Array>): Promise<ExportEnd> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const known = systemCode(error) === 'EEXIST' ? 'is there already; name another file' : undefined;
    const reason = known ?? `cannot be written: ${reasonOf(error)}`;
    throw new Unreadable(`${path} ${reason}`, { cause: error });
  });
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      last = chunk;
    }
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await unlink(path);
    if (systemCode(error) === undefined) throw error;
    throw new Unreadable(`${path} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
  return JSON.parse(new TextDecoder().decode(last)) as ExportEnd;
}

async function print(chunks: AsyncIterable<Uint8Array>, output: Output): Promise<void> {
  // A chunk is some whole lines, and printing adds the last line feed.
  for await (const chunk of chunks)
    output.print(new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(0, -1)));
}

/** `rethread export`: a session as JSON lines. */
export function addExport(program: Command, shell: Shell): void {
  const command = program
    .command('export')
    .summary('write a session as JSON lines')
    .description('Write a session as JSON lines, byte for byte as it is stored, to be imported into any store.')
    .argument('<session>', 'the id of a session')
    .option('-o, --output <file>', 'write it to this file, which must not be there yet');
  onStore<Flags>(command, shell, async ({ store, flags, output }, id = '') => {
    const session = await store.session(id);
    if (flags.output === undefined) {
      if (process.stdout.isTTY)
        throw new Unreadable('an export is not for a terminal: name a file with -o, or pipe it on');
      await print(session.export(), output);
      return exitCode.healthy;
    }
    const { digest, records } = await save(flags.output, session.export());
    const said = { schema: 'rethread/export@1', id, file: flags.output, records, digest };
    if (flags.json === true) output.print(visibleJson(said, 2));
    else output.complain(`${visible(flags.output)}: ${plural(records, 'record')}, ${visible(digest)}`);
    return exitCode.healthy;
  });
}
