import { CHECKS, type JudgedDialect, type Refusal, judge } from '@rethread/simulator';
import { type Command, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { OpenedFile } from '../files/read-json.ts';
import { unreadable } from '../files/source.ts';
import { dialectOf, unknownDialect, withRequest } from '../judge/read-request.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import type { Shell } from '../shell.ts';
import { printRefusals } from '../simulate/print-refusals.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { tellNotes } from '../terminal/print-pieces.ts';
import { excerpt, shellName, visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags {
  readonly dialect?: JudgedDialect;
  readonly model?: string;
  readonly as?: 'request' | 'history';
  readonly lenient?: true;
  readonly json?: true;
  readonly color: boolean;
}

interface Judged {
  readonly name: string;
  readonly dialect: JudgedDialect;
  readonly model: string | undefined;
  readonly purpose: 'request' | 'history';
  readonly strict: boolean;
  readonly refusals: readonly Refusal[];
}

const epilogue = `
A whole body is judged as the API would judge it, a bare list as a stored history. The first refusal is the one that the
API would answer with. Whether sealed reasoning is genuine cannot be seen from a file; only its form is judged.
Exit codes: 0 accepted, 1 refused, 2 could not read.`;

const longestName = 120;

type Body = { readonly model?: unknown; readonly modelId?: unknown };

/** Where the model is part of the address, clients hold it in the body under another name. */
function modelIn({ model, modelId }: Body): string | undefined {
  return [model, modelId].find((name) => typeof name === 'string');
}

/** A model named on the command line stands in for one that the body does not name. */
function completed(value: unknown, { model }: Flags): unknown {
  const lacksModel = !Array.isArray(value) && typeof (value as Body).model !== 'string';
  return lacksModel && model !== undefined ? { ...(value as object), model } : value;
}

function judgeValue(name: string, value: unknown, flags: Flags): Judged {
  const dialect = flags.dialect ?? dialectOf(value);
  if (dialect === undefined) throw new Unreadable(unknownDialect(value));
  const isList = Array.isArray(value);
  const purpose = flags.as ?? (isList ? 'history' : 'request');
  const strict = flags.lenient !== true;
  const input = dialect === 'gemini' ? value : completed(value, flags);
  const refusals = judge(dialect, input, {
    model: flags.model,
    purpose,
    strict,
    whole: !isList && flags.as !== 'history',
  });
  const model = flags.model ?? (isList ? undefined : modelIn(value as Body));
  return { name, dialect, model, purpose, strict, refusals };
}

function printJudged({ name, dialect, model, purpose, strict, refusals }: Judged, output: Output): void {
  const reading = strict ? 'strictest' : 'most lenient';
  const by = model === undefined ? `no model named: the ${reading} reading` : excerpt(model, longestName);
  output.print(`${output.tone('bold', visible(name))}: ${dialect} ${purpose}, ${by}`);
  printRefusals(refusals, output);
  const [first] = refusals;
  const outcome =
    dialect === 'pydantic-ai' ? 'the library would raise this' : `the answer would be ${first?.status ?? 400}`;
  if (first === undefined) output.print(output.tone('green', 'accepted'));
  else output.print(`${output.tone('red', 'refused')}: ${outcome}`);
  if (first !== undefined && name !== 'standard input') {
    output.print(`Next: rethread doctor ${shellName(name)} tells what a repair would do.`);
  }
}

function jsonOf({ name, model, refusals, ...judged }: Judged): string {
  return visibleJson({ file: name, accepted: refusals.length === 0, ...judged, model: model ?? null, refusals }, 2);
}

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  const name = path === '-' ? 'standard input' : path;
  try {
    const judgeFile = ({ session, notes, origin }: OpenedFile): Judged => {
      tellNotes(name, notes, output);
      const { dialect = origin?.dialect, model = origin?.model } = flags;
      const known = { ...(dialect === undefined ? {} : { dialect }), ...(model === undefined ? {} : { model }) };
      return judgeValue(name, session.value, { ...flags, ...known });
    };
    const judged = await withRequest(path, judgeFile, 'plain');
    const accepted = judged.refusals.length === 0;
    if (flags.json === true) output.print(jsonOf(judged));
    else printJudged(judged, output);
    return accepted ? exitCode.healthy : exitCode.findings;
  } catch (error) {
    const reason = unreadable(error).message;
    if (flags.json === true) output.print(visibleJson({ file: name, error: reason }, 2));
    output.complain(`rethread: ${visible(`${name} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

/** `rethread judge`: the verdict of the simulator on one saved request. */
export function addJudge(program: Command, shell: Shell): void {
  program
    .command('judge')
    .summary('tell whether an API would accept a saved request')
    .description(
      'Judge one saved request body, or a bare list of messages, as the API it is for would. Changes nothing.',
    )
    .argument('<session>', sessionHelp)
    .addOption(
      new Option('--dialect <name>', 'the API, where it cannot be told from the content').choices(Object.keys(CHECKS)),
    )
    .option('--model <name>', 'judge as for this model; without it as for the one that the body names')
    .addOption(
      new Option('--as <purpose>', 'judge as a request about to be sent, or as a stored history').choices([
        'request',
        'history',
      ]),
    )
    .option('--lenient', 'read a model whose name says nothing leniently, and not strictly')
    .option('--json', 'print the verdict for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large body is judged in one go: nothing is written, so an interrupt may end it in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
