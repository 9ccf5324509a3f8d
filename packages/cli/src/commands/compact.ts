import { randomBytes } from 'node:crypto';

import { type Dialect, rules } from '@rethread/core';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { type CompactOutcome, compactFile } from '../compact/compact-file.ts';
import type { SummaryWriter } from '../compact/summary-writer.ts';
import { exitCode } from '../doctor/job.ts';
import { unreadable } from '../files/source.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { tellNotes } from '../terminal/print-pieces.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';

interface Flags {
  readonly budget: number;
  readonly keep?: number;
  readonly out?: string;
  readonly json?: true;
  readonly dialect?: Dialect;
  /** False with `--no-model`, which is what happens anyway. */
  readonly model?: string | false;
  readonly askModel?: string | true;
  readonly write?: true;
  readonly color: boolean;
}

const epilogue = `
Without --write and --out nothing is written. --write keeps the original as <name>.rethread-backup; rethread doctor
--undo restores it. The last instruction, the newest turn and open calls always stay, and no call is separated from its
result. The summary is made by rules, from the history alone. With --ask-model the history is sent to a provider whose
key is set and whose SDK is installed, as for rethread chat: to the model that you name, or to RETHREAD_MODEL.
Exit codes: 0 within the budget, 1 the budget could not be met, 2 could not read or write.`;

function toTokens(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number of tokens is needed.');
  return Number(text);
}

function toTurns(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('A whole number of turns is needed.');
  return Number(text);
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

const tokensOf = (tokens: number | undefined): string =>
  tokens === undefined ? 'many times the budget' : count(tokens, 'token');

function whereTo({ backup, compacted }: CompactOutcome, { out }: Flags): string {
  const same = compacted.changed ? '' : 'Nothing was changed.';
  if (out !== undefined) return `${same} Written to ${visible(out)}.`.trimStart();
  if (!compacted.changed) return same;
  if (backup !== undefined) return `The original is ${visible(backup)}.`;
  return 'Nothing was written: --write compacts the file in place, and --out <file> writes a new one.';
}

function tell(name: string, outcome: CompactOutcome, { output, flags }: { output: Output; flags: Flags }): void {
  const { compacted, dialect, messages } = outcome;
  const { report } = compacted;
  output.print(`${output.tone('bold', visible(name))}: ${dialect}, ${count(messages.before, 'message')}`);
  for (const { step, outcome: became, note } of report.steps) {
    const head = `${step.padEnd(14)}  ${became.padEnd(10)}  `;
    output.print(head + wrap(excerpt(note, 300), head.length, output.width));
  }
  const sizes = `${tokensOf(report.tokensBefore)} before, ${tokensOf(report.tokens)} now`;
  output.print(
    `${sizes}, in ${count(messages.after, 'message')}; the budget is ${count(report.budgetTokens, 'token')}`,
  );
  if (report.why !== undefined) output.print(output.tone('red', `The budget is not met: ${visible(report.why)}`));
  output.print(whereTo(outcome, flags));
}

function jsonOf(name: string, { compacted, dialect, messages, backup }: CompactOutcome, { out }: Flags): string {
  const { report, changed } = compacted;
  const summary = compacted.checkpoint?.summary;
  const told = { schema: 'rethread/compact@1', file: name, dialect, messages, changed, report, summary, backup, out };
  return visibleJson(told, 2);
}

async function writerFor({ askModel, out, write }: Flags): Promise<SummaryWriter> {
  if (askModel === undefined) return { why: undefined };
  if (out === undefined && write !== true) return { why: 'nothing is written, so no model is asked' };
  const { summaryWriter } = await import('../compact/summary-writer.ts');
  return summaryWriter(process.env, askModel === true ? undefined : askModel);
}

/** Who has made the summary, and why nobody else; undefined where none was made. */
function whoWrote({ compacted }: CompactOutcome, writer: SummaryWriter): string | undefined {
  const made = compacted.report.steps.findLast(({ step }) => step === 'summary' || step === 'rule-summary');
  if (made?.outcome !== 'done' && made?.outcome !== 'failed') return undefined;
  if (writer.name === undefined && writer.why === undefined) return undefined;
  if (writer.name === undefined) return `the summary is made by rules: ${writer.why}`;
  if (made.outcome === 'done')
    return `the summary was written by ${writer.name}; without --ask-model it is made by rules`;
  return `there is no summary by ${writer.name}; without --ask-model it is made by rules`;
}

async function run(path: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  const name = path === '-' ? 'standard input' : path;
  try {
    const writer = await writerFor(flags);
    const outcome = await compactFile({
      path,
      budgetTokens: flags.budget,
      keepTurns: flags.keep,
      dialect: flags.dialect,
      model: flags.model === false ? undefined : flags.model,
      summariser: writer.name === undefined ? undefined : writer.model,
      mode: flags.out !== undefined ? 'out' : flags.write === true ? 'swap' : 'look',
      out: flags.out,
      at: new Date().toISOString(),
      token: randomBytes(12).toString('hex'),
    });
    tellNotes(name, outcome.notes, output);
    const wrote = whoWrote(outcome, writer);
    if (wrote !== undefined) output.complain(`rethread: ${visible(wrote)}`);
    if (flags.json === true) output.print(jsonOf(name, outcome, flags));
    else tell(name, outcome, { output, flags });
    return outcome.compacted.report.met ? exitCode.healthy : exitCode.findings;
  } catch (error) {
    const { message: reason, about = name } = unreadable(error);
    if (flags.json === true) output.print(visibleJson({ file: about, error: reason }, 2));
    output.complain(`rethread: ${visible(`${about} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

/** `rethread compact`: makes a session shorter until it is within a budget. */
export function addCompact(program: Command, shell: Shell): void {
  const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];
  program
    .command('compact')
    .summary('make a session shorter, so that it can go on')
    .description('Make a history, or a whole request, shorter until it is within a budget of tokens.')
    .argument('<session>', sessionHelp)
    .option('--budget <tokens>', 'token budget', toTokens, 40_000)
    .option('--keep <turns>', 'number of newest turns to keep as they are (default: 1)', toTurns)
    .option('--write', 'compact the file in place, and keep a backup')
    .addOption(new Option('-o, --out <file>', 'file to write, which must not exist yet').conflicts('write'))
    .option('--ask-model [name]', 'send the history to a model, which writes the summary')
    .addOption(new Option('--dry-run', 'write nothing').conflicts(['out', 'write']).hideHelp())
    .addOption(new Option('--no-model').hideHelp())
    .addOption(
      new Option('--dialect <name>', 'the dialect, where it cannot be told from the content').choices(dialects),
    )
    .option('--model <name>', 'model to judge for (default: the strictest reading)')
    .option('--json', 'print the report for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large file is worked on in one go: until something is written, an interrupt may end that in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
