import { type Converted, type ConversionLoss, type Dialect, convert, detectDialect, rules } from '@rethread/core';
import { type Command, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { placeOf } from '../doctor/report-text.ts';
import { type CollapsedKey, collapsedKeys } from '../files/collapsed-keys.ts';
import type { OpenedFile } from '../files/read-json.ts';
import { saveNew } from '../files/save-new.ts';
import { unreadable } from '../files/source.ts';
import { formOf, newlyWritten } from '../files/written.ts';
import { withRequest } from '../judge/read-request.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import type { Shell } from '../shell.ts';
import { refuseOtherDialect } from '../slices/open-list.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { tellNotes } from '../terminal/print-pieces.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags {
  readonly to: Dialect;
  readonly from?: Dialect;
  readonly model?: string;
  readonly out?: string;
  /** The same, as it was called before. */
  readonly output?: string;
  readonly json?: true;
  readonly color: boolean;
}

interface Job extends Converted {
  readonly name: string;
  readonly from: Dialect;
  readonly to: Dialect;
}

const epilogue = `
The converted history is printed, or written with -o; what could not be carried over is told on standard error, with its
place in the input: m17.2 is part 2 of message 17, counted from 0. A list stays a list, and a whole request stays one.
Exit codes: 0 converted and sendable, 1 converted but something would still be refused, 2 could not read or write.`;

const longestText = 300;

const becomes: Readonly<Record<ConversionLoss['became'], string>> = {
  nothing: 'left out',
  text: 'told as text',
  other: 'told otherwise',
};

function lossLine({ at, kind, what, became, why }: ConversionLoss, output: Output): string {
  const head = `${placeOf(at)}  ${kind}  `;
  const line = `${excerpt(what, longestText)} (${becomes[became]}: ${excerpt(why, longestText)})`;
  return output.tone('bold', head) + wrap(line, head.length, output.width);
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

function tell({ name, from, to, losses, report, lifted }: Job, output: Output): void {
  for (const loss of losses) output.complain(lossLine(loss, output));
  if (lifted !== undefined) {
    output.complain('The system text has no place in a bare list; it is the `system` field of the request:');
    for (const message of lifted) output.complain(`  ${excerpt(JSON.stringify(message), longestText)}`);
  }
  const lossless =
    losses.length === 0 ? 'nothing was lost' : `${count(losses.length, 'thing')} could not be carried over`;
  const changes = report.repairs.length === 0 ? '' : `, ${count(report.repairs.length, 'repair')} for the target`;
  output.complain(`${visible(name)}: ${from} to ${to}, ${lossless}${changes}`);
  const refused = report.verdict === 'broken';
  if (refused) output.complain(`not sendable: ${visible(report.next ?? 'something would still be refused')}`);
}

function jsonOf({ name, from, to, output, losses, lifted, report }: Job): string {
  return visibleJson({ schema: 'rethread/convert@1', file: name, from, to, output, lifted, losses, report }, 2);
}

/** What a key says that stands before another of the same name is read by nobody. */
function collapsedLoss({ key, pointer }: CollapsedKey, isList: boolean): ConversionLoss {
  const steps = pointer.split('/').slice(isList ? 1 : 2);
  const message = /^\d+$/.test(steps[0] ?? '') ? Number(steps[0]) : -1;
  const at = { message, pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  const why = 'the key stands twice in one object, and the last one counts';
  return { at, kind: 'key', what: `the first ${key}`, became: 'nothing', why };
}

function convertFile(name: string, { session, source, origin }: OpenedFile, flags: Flags): Job {
  refuseOtherDialect(origin, flags.from);
  const from = flags.from ?? origin?.dialect;
  const job = convertValue(name, session.value, from === undefined ? flags : { ...flags, from });
  const isList = Array.isArray(session.value);
  const collapsed = collapsedKeys(session, source).map((each) => collapsedLoss(each, isList));
  return { ...job, losses: [...collapsed, ...job.losses] };
}

function convertValue(name: string, value: unknown, { to, from, model }: Flags): Job {
  const source = from ?? detectDialect(value);
  if (source === undefined) throw new Unreadable('does not show which dialect it is in; name it with --from');
  const converted = convert(value, { from: source, to, ...(model === undefined ? {} : { model }) });
  if (converted.report.findings.some(({ rule }) => rule === 'dialect-unknown')) {
    throw new Unreadable(`holds no list of messages in ${source}`);
  }
  return { ...converted, name, from: source, to };
}

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  const name = path === '-' ? 'standard input' : path;
  try {
    const job = await withRequest(path, (file) => {
      tellNotes(name, file.notes, output);
      return convertFile(name, file, flags);
    });
    const made = flags.out ?? flags.output;
    if (made !== undefined) saveNew(made, newlyWritten(job.output, formOf(made, job.output)));
    if (flags.json === true) output.print(jsonOf(job));
    else {
      if (made === undefined) output.print(visibleJson(job.output, 2));
      tell(job, output);
    }
    return job.report.verdict === 'broken' ? exitCode.findings : exitCode.healthy;
  } catch (error) {
    const { message: reason, about = name } = unreadable(error);
    if (flags.json === true) output.print(visibleJson({ file: about, error: reason }, 2));
    output.complain(`rethread: ${visible(`${about} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

/** `rethread convert`: a history in the words of another API, with a list of what was lost on the way. */
export function addConvert(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('convert')
    .summary('write a history as another API or framework has it')
    .description(
      'Write a history, or a whole request, in another dialect, ready to be sent. Tells what could not be carried over.',
    )
    .argument('<session>', sessionHelp)
    .addOption(new Option('--to <name>', 'the dialect to write').choices(dialects).makeOptionMandatory())
    .addOption(new Option('--from <name>', 'dialect of the file (default: detected)').choices(dialects))
    .option('--model <name>', 'model to judge for (default: the strictest reading)')
    .option('-o, --out <file>', 'file to write, which must not exist yet (default: standard output)')
    .addOption(new Option('--output <file>').hideHelp())
    .option('--json', 'print output, losses and report for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large file is worked on in one go: until something is written, an interrupt may end that in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
