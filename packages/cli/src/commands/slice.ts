import { rules } from '@rethread/core';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { saveNew } from '../files/save-new.ts';
import { unreadable } from '../files/source.ts';
import type { Shell } from '../shell.ts';
import { type DialectFlags, nameOf, openList } from '../slices/open-list.ts';
import { type Taken, type Wish, take, wishes } from '../slices/take.ts';
import { createOutput, readTerminal } from '../terminal/output.ts';
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

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  let about = nameOf(path);
  try {
    checkWish(flags);
    const opened = await openList(path, flags);
    const { output: part, ...places } = take(opened, flags);
    if (flags.out !== undefined) {
      about = flags.out;
      saveNew(flags.out, part);
    }
    const { dialect } = opened.target;
    const told = {
      schema: 'rethread/slice@1',
      file: opened.name,
      dialect,
      ...places,
      hasMore: places.next !== undefined,
    };
    if (flags.json === true) output.print(visibleJson({ ...told, output: part }, 2));
    else {
      if (flags.out === undefined) output.print(visibleJson(part, 2));
      output.complain(`${visible(opened.name)}: ${describe({ output: part, ...places })}`);
    }
    return exitCode.healthy;
  } catch (error) {
    const reason = unreadable(error).message;
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
    .argument('<file>', 'a JSON or JSONL file; - is standard input')
    .option('--last <n>', 'the last turns, this many', toCount)
    .option('--from <n>', 'everything from this turn on', toCount)
    .option('--before <n>', 'everything before the turn that this message is in', toCount)
    .option('--page [n]', 'one page, from this message on; without a number the first', toCount)
    .option('--min <n>', 'with --page: at least so many messages, 50 by default', toCount)
    .addOption(
      new Option('--dialect <name>', 'the dialect, where it cannot be told from the content').choices(dialects),
    )
    .option('--model <name>', 'the model that it is meant for; without it by the strictest reading')
    .option('-o, --out <file>', 'write it to this file, which must not be there yet')
    .option('--json', 'print the part and its places for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
