import { randomBytes } from 'node:crypto';

import { type Dialect, rules } from '@rethread/core';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { type CompactOutcome, compactFile } from '../compact/compact-file.ts';
import type { SummaryWriter } from '../compact/summary-writer.ts';
import { exitCode } from '../doctor/job.ts';
import { unreadable } from '../files/source.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { tellNotes } from '../terminal/print-pieces.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';

interface Flags {
  readonly budget: number;
  readonly keep?: number;
  readonly dryRun?: true;
  readonly out?: string;
  readonly json?: true;
  readonly dialect?: Dialect;
  readonly targetModel?: string;
  /** False with `--no-model`. */
  readonly model: boolean;
  readonly color: boolean;
}

const epilogue = `
The file is compacted in its place, and the original kept beside it as <name>.rethread-backup; rethread doctor --undo
puts it back. The last instruction, the newest turn and open calls always stay, and no call is parted from its result.
Where a key of a provider is set and its SDK installed, as for rethread chat, the model that is named in RETHREAD_MODEL
or its usual one is given the history and writes the summary. With --no-model, without a key and in a dry run nobody is
asked, and the summary is made by rules, from the history alone. Standard error says which of the two it was, and why.
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

function whereTo({ backup, compacted }: CompactOutcome, { out, dryRun }: Flags): string {
  const same = compacted.changed ? '' : 'Nothing was changed.';
  if (out !== undefined) return `${same} Written to ${visible(out)}.`.trimStart();
  if (!compacted.changed) return same;
  return dryRun === true ? 'Nothing was written: this was a dry run.' : `The original is ${visible(backup ?? '')}.`;
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

async function writerFor({ model, dryRun }: Flags): Promise<SummaryWriter> {
  if (!model) return { why: '--no-model was given' };
  if (dryRun === true) return { why: 'a dry run asks no model' };
  const { summaryWriter } = await import('../compact/summary-writer.ts');
  return summaryWriter(process.env);
}

/** Who has made the summary, and why nobody else; undefined where none was made. */
function whoWrote({ compacted }: CompactOutcome, writer: SummaryWriter): string | undefined {
  const made = compacted.report.steps.findLast(({ step }) => step === 'summary' || step === 'rule-summary');
  if (made?.outcome !== 'done' && made?.outcome !== 'failed') return undefined;
  if (writer.name === undefined) return `the summary is made by rules: ${writer.why}`;
  if (made.outcome === 'done') return `the summary was written by ${writer.name}; --no-model makes it by rules`;
  return `there is no summary by ${writer.name}; --no-model makes it by rules`;
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
      model: flags.targetModel,
      summariser: writer.name === undefined ? undefined : writer.model,
      mode: flags.dryRun === true ? 'look' : flags.out === undefined ? 'swap' : 'out',
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
    .argument('<file>', 'a JSON or JSONL file; - is standard input')
    .option('--budget <tokens>', 'what the messages may weigh together', toTokens, 40_000)
    .option('--keep <turns>', 'how many of the newest turns stay as they are; 1 by default', toTurns)
    .option('--no-model', 'ask no model, and send nothing to anybody: make the summary by rules')
    .addOption(new Option('--dry-run', 'tell what would be done, and write nothing').conflicts('out'))
    .option('-o, --out <file>', 'write the result to this file, which must not be there yet, and leave the original')
    .addOption(
      new Option('--dialect <name>', 'the dialect, where it cannot be told from the content').choices(dialects),
    )
    .option('--target-model <name>', 'the model that it is meant for; without it by the strictest reading')
    .option('--json', 'print the report for machines')
    .addHelpText('after', epilogue)
    .action(async (path: string, _: unknown, command: Command) => {
      // A large file is worked on in one go: until something is written, an interrupt may end that in the middle.
      process.removeAllListeners('SIGINT');
      shell.exit(await run(path, command.optsWithGlobals<Flags>()));
    });
}
