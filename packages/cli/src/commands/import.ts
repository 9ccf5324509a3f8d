import { createReadStream } from 'node:fs';

import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';

interface Flags extends StoreFlags {
  readonly id?: string;
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> = path === '-' ? process.stdin : createReadStream(path);
  try {
    yield* source;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new Unreadable(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** What a person can act on is the reason that the file could not be read, and not that the import failed for it. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Unreadable ? error.cause : error;
}

/** `rethread import`: a session from JSON lines. */
export function addImport(program: Command, shell: Shell): void {
  const command = program
    .command('import')
    .summary('take a session in that was exported')
    .description(
      'Take a session in that was exported from any store. It is there wholly, with the same digest, or not at all; ' +
        'what an import left that was killed is marked as a part, and replaced.',
    )
    .argument('<file>', 'an exported session; - is standard input')
    .option('--id <id>', 'another id than the one it was exported with');
  onStore<Flags>(command, shell, async ({ store, flags, output }, path = '-') => {
    const options = flags.id === undefined ? {} : { id: flags.id };
    const made = await store.import(bytesOf(path), options).catch((error: unknown) => {
      throw causeOf(error);
    });
    if (flags.json === true) output.print(visibleJson({ schema: 'rethread/import@1', ...made }, 2));
    else {
      output.print(visible(made.id));
      output.complain(`${made.records} records, ${made.digest}`);
    }
    return exitCode.healthy;
  });
}
