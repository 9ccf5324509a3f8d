import { rules } from '@rethread/core';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { collapsedFinding, collapsedKeys } from '../files/collapsed-keys.ts';
import { bytesOf } from '../files/pieces.ts';
import { saveNew } from '../files/save-new.ts';
import { unreadable } from '../files/source.ts';
import { formOf, writtenAs } from '../files/written.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import type { Shell } from '../shell.ts';
import { type DialectFlags, type OpenedList, nameOf, withList } from '../slices/open-list.ts';
import { type Taken, type Wish, take, wishes } from '../slices/take.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { printPieces, tellNotes } from '../terminal/print-pieces.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags extends DialectFlags, Wish {
  readonly out?: string;
  readonly json?: true;
  readonly color: boolean;
}

const epilogue = `
The part is printed, or written with -o; which messages it holds is told on standard error. It can be sent wherever the
whole could: no call is parted from its result, no batch and no sealed reasoning is divided. A list stays a list, and a
whole request stays one. Messages and turns are counted from 0, as rethread turns tells them.
Exit codes: 0 done, 2 could not read or write.`;

function toCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

function checkWish(flags: Flags): void {
  const given = wishes.filter((name) => flags[name] !== undefined);
  if (given.length === 1 && flags.min !== undefined && flags.page === undefined)
    throw new Unreadable('cannot be divided: --min goes with --page');
  if (given.length === 1) return;
  const named = '--last, --from, --before or --page';
  throw new Unreadable(`cannot be divided: give one of ${named}${given.length === 0 ? '' : ', and only one'}`);
}

function describe({ from, to, of, next }: Taken): string {
  const held = from === to ? 'no message' : to - from === 1 ? `message ${from}` : `messages ${from} to ${to - 1}`;
  const more = next === undefined ? '' : `; the next page begins with --page ${next}`;
  return `${held} of ${of}${more}`;
}

/** Writes the part to a new file, where one is named. */
function save({ file }: OpenedList, part: unknown, out: string): void {
  saveNew(out, bytesOf(writtenAs(file.session, part, formOf(out, part)), file.source));
}

function tell(opened: OpenedList, taken: Taken, { flags, output }: { flags: Flags; output: Output }): void {
  const { name, target, file } = opened;
  const { output: part, ...places } = taken;
  const { dialect } = target;
  const hasMore = places.next !== undefined;
  if (flags.json === true) {
    output.print(visibleJson({ schema: 'rethread/slice@1', file: name, dialect, ...places, hasMore, output: part }, 2));
    return;
  }
  if (flags.out === undefined) printPieces(writtenAs(file.session, part, 'json'), file.source, output);
  output.complain(`${visible(name)}: ${describe(taken)}`);
}

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  try {
    checkWish(flags);
    await withList(path, flags, (opened) => {
      const { name, file } = opened;
      const taken = take(opened, flags);
      // Messages are copied or left out; only the request around them is put together anew.
      const collapsed = collapsedKeys(file.session, file.source, { value: taken.output }).filter(
        ({ pointer }) => pointer === '',
      );
      if (flags.out !== undefined) save(opened, taken.output, flags.out);
      tellNotes(name, [...file.notes, ...collapsed.map((each) => collapsedFinding(each).explain)], output);
      tell(opened, taken, { flags, output });
    });
    return exitCode.healthy;
  } catch (error) {
    const { message: reason, about = nameOf(path) } = unreadable(error);
    if (flags.json === true) output.print(visibleJson({ file: about, error: reason }, 2));
    output.complain(`rethread: ${visible(`${about} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

/** `rethread slice`: a part of a history that can be sent as it is. */
export function addSlice(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('slice')
    .summary('take a part of a history, divided between turns')
    .description('Take a part of a history, or of a whole request. It is divided only where nothing is torn apart.')
    .argument('<session>', sessionHelp)
    .option('--last <n>', 'the last turns, this many', toCount)
    .option('--from <n>', 'everything from this turn on', toCount)
    .option('--before <n>', 'everything before the turn that this message is in', toCount)
    .option('--page [n]', 'one page, from this message on; without a number the first', toCount)
    .option('--min <n>', 'with --page: at least so many messages, 50 by default', toCount)
    .addOption(new Option('--dialect <name>', 'dialect of the file (default: detected)').choices(dialects))
    .option('--model <name>', 'model to judge for (default: the strictest reading)')
    .option('-o, --out <file>', 'file to write, which must not exist yet (default: standard output)')
    .option('--json', 'print the part and its places for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large file is worked on in one go: until something is written, an interrupt may end that in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
