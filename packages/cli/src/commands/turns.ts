import { type Turn, cuts, decode, rules, turns } from '@rethread/core';
import { type Command, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { unreadable } from '../files/source.ts';
import { plural } from '../plural.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import type { Shell } from '../shell.ts';
import { type DialectFlags, type OpenedList, nameOf, withList } from '../slices/open-list.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { tellNotes } from '../terminal/print-pieces.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags extends DialectFlags {
  readonly json?: true;
  readonly color: boolean;
}

/** A turn as it is told: its words in short, and the messages by their places. */
interface Told {
  readonly index: number;
  readonly kind: Turn['kind'];
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

const epilogue = `
A turn begins where a person speaks; results, summaries and what tools put in under the name of the user begin none. A
list may be divided between two turns and nowhere else: rethread slice does that. Messages are counted from 0.
Exit codes: 0 told, 2 could not read.`;

const longestText = 72;

const kinds: Readonly<Record<Turn['kind'], string>> = {
  user: 'person',
  summary: 'summary',
  context: 'context',
  none: 'nobody',
};

/** The first words of a turn. */
function wordsOf({ messages, kind }: Turn, { dialect }: OpenedList['target']): string {
  const read = decode(messages, dialect)?.messages ?? [];
  const speaker = kind === 'none' ? read : read.filter(({ role }) => role === 'user');
  for (const { parts } of speaker) {
    const said = parts.find((part) => part.kind === 'text' && part.text.trim() !== '');
    if (said?.kind === 'text') return said.text.trim();
  }
  return '';
}

function tell({ name, target }: OpenedList, told: readonly Told[], output: Output): void {
  const sizes = `${plural(told.at(-1)?.to ?? 0, 'message')} in ${plural(told.length, 'turn')}`;
  output.print(`${output.tone('bold', visible(name))}: ${target.dialect}, ${sizes}`);
  const rows = told.map(({ index, kind, from, to, says }) => {
    const places = to - from === 1 ? `m${from}` : `m${from} to m${to - 1}`;
    return [`${index}`, places, kinds[kind], excerpt(says, longestText)];
  });
  for (const line of table(rows, output.width)) output.print(line);
}

function tellTurns(opened: OpenedList, flags: Flags, output: Output): void {
  const { name, value, target, file } = opened;
  if (decode(value, target.dialect) === undefined)
    throw new Unreadable(`holds no list of messages in ${target.dialect}`);
  tellNotes(name, file.notes, output);
  const told = turns(value, target).map((turn) => {
    const { index, kind, from, to } = turn;
    return { index, kind, from, to, says: wordsOf(turn, target) };
  });
  const { dialect } = target;
  if (flags.json === true) {
    output.print(
      visibleJson({ schema: 'rethread/turns@1', file: name, dialect, turns: told, cuts: cuts(value, target) }, 2),
    );
  } else tell(opened, told, output);
}

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  try {
    await withList(path, flags, (opened) => tellTurns(opened, flags, output));
    return exitCode.healthy;
  } catch (error) {
    const reason = unreadable(error).message;
    if (flags.json === true) output.print(visibleJson({ file: nameOf(path), error: reason }, 2));
    output.complain(`rethread: ${visible(`${nameOf(path)} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

/** `rethread turns`: where the turns of a history begin, which is where it may be divided. */
export function addTurns(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('turns')
    .summary('list the turns of a history')
    .description('List the turns of a history, or of a whole request. Changes nothing.')
    .argument('<session>', sessionHelp)
    .addOption(new Option('--dialect <name>', 'dialect of the file (default: detected)').choices(dialects))
    .option('--model <name>', 'model to judge for (default: the strictest reading)')
    .option('--json', 'print turns and cuts for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large file is worked on in one go: until something is written, an interrupt may end that in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
