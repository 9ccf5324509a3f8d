import { createReadStream } from 'node:fs';

import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type Desk, type StoreFlags, onStore } from '../store/store-command.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';
import { plural } from '../plural.ts';

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

/** The same bytes, once the first of them are there: what cannot be read is known before a store is made for it. */
async function begun(bytes: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await bytes.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* bytes;
  })();
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
  onStore<Flags>(command, shell, {
    prepare: async () => {
      const bytes = await begun(bytesOf(command.args[0] ?? '-'));
      return { creates: true, work: (desk) => takeIn(desk, bytes) };
    },
  });
}

async function takeIn({ store, flags, output }: Desk<Flags>, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const options = flags.id === undefined ? {} : { id: flags.id };
  const made = await store.import(bytes, options).catch((error: unknown) => {
    throw causeOf(error);
  });
  if (flags.json === true) output.print(visibleJson({ schema: 'rethread/import@1', ...made }, 2));
  else {
    output.print(visible(made.id));
    output.complain(`${plural(made.records, 'record')}, ${made.digest}`);
  }
  return exitCode.healthy;
}
