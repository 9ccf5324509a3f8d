import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Notice, type Store, StoreError, open } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable, reasonOf } from '../unreadable.ts';

/** What every command on a store can be told. */
export interface StoreFlags {
  readonly store?: string;
  readonly json?: true;
  readonly color: boolean;
}

/** What a command on a store works with. */
export interface Desk<F extends StoreFlags> {
  readonly store: Store;
  readonly flags: F;
  readonly output: Output;
  /** What the store has told beside its answers so far, which is on the screen already. */
  readonly notices: readonly Notice[];
}

/** What is to be done with a store once it is open. */
export interface Task<F extends StoreFlags> {
  /** Whether a store that is not there yet is made. */
  readonly creates: boolean;
  readonly work: (desk: Desk<F>) => Promise<number>;
}

/** Finds out, before there is a store, whether the work can be done at all, so that none is made in vain. */
export interface Errand<F extends StoreFlags> {
  readonly prepare: (flags: F) => Promise<Task<F>>;
}

/** The work of a command, with the arguments of the command line in their order. */
export type Work<F extends StoreFlags> = (desk: Desk<F>, ...args: readonly (string | undefined)[]) => Promise<number>;

const usualStore = 'file:./sessions';

const whereHelp = `
The store is named by --store or by the variable RETHREAD_STORE: file:./folder, sqlite:./file.db or postgres://…
Without either it is ${usualStore}.`;

function complain(error: unknown, { json }: StoreFlags, output: Output): void {
  if (!(error instanceof StoreError || error instanceof Unreadable)) throw error;
  const reason = reasonOf(error);
  const code = error instanceof StoreError ? { code: error.code, details: error.details } : {};
  if (json === true) output.print(visibleJson({ error: reason, ...code }, 2));
  output.complain(`rethread: ${visible(reason)}`);
}

/** The path that a URL names; undefined for one without, and for one that `open` refuses in better words. */
function pathIn(url: string): string | undefined {
  const path = /^(?:file|sqlite):([^?]*)/.exec(url)?.[1];
  if (path?.startsWith('//') !== true) return path;
  try {
    return fileURLToPath(`file:${path}`);
  } catch {
    return undefined;
  }
}

/** Whether there is nothing yet that a store could be read from. */
function isEmpty(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  if (state?.isDirectory() === true) return readdirSync(path).length === 0;
  return state === undefined || (state.isFile() && state.size === 0);
}

/** Looking at a store must not make one; a mistyped name would otherwise be an empty store. */
function requireStore(url: string): void {
  const path = pathIn(url);
  try {
    if (path === undefined || !isEmpty(path)) return;
  } catch {
    // Who may not look at it is told so when it is opened.
    return;
  }
  throw new Unreadable(`there is no store ${url}`);
}

/** Opens the store, works with it and closes it, whatever happens; gives the exit code. */
async function atDesk<F extends StoreFlags>(flags: F, { prepare }: Errand<F>): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  let store: Store | undefined;
  try {
    const { creates, work } = await prepare(flags);
    const url = flags.store ?? (process.env['RETHREAD_STORE'] || usualStore);
    if (!creates) requireStore(url);
    const notices: Notice[] = [];
    const onNotice = (notice: Notice): void => {
      notices.push(notice);
      output.complain(`rethread: ${visible(notice.sentence)}`);
    };
    store = await open(url, { onNotice });
    return await work({ store, flags, output, notices });
  } catch (error) {
    complain(error, flags, output);
    return exitCode.unreadable;
  } finally {
    await store?.close();
  }
}

/** Adds what commands on a store have in common. */
export function onStore<F extends StoreFlags>(command: Command, shell: Shell, how: Work<F> | Errand<F>): void {
  command
    .option('--store <url>', 'the store')
    .option('--json', 'print the outcome for machines')
    .addHelpText('after', whereHelp)
    .action(async (...given: unknown[]) => {
      const args = given.map((each) => (typeof each === 'string' ? each : undefined));
      const errand =
        typeof how === 'function'
          ? { prepare: async () => ({ creates: false, work: (desk: Desk<F>) => how(desk, ...args) }) }
          : how;
      shell.exit(await atDesk(command.optsWithGlobals<F>(), errand));
    });
}

/** A whole number from the command line, at least as large as the least. */
export function wholeNumber(text: string, least = 0): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new Unreadable(`${JSON.stringify(text)} is not a whole number from ${least} up`);
}
