import type { Finding, Repair, Report } from '@rethread/core';

import { type FileFinding, fileRule } from '../files/file-rules.ts';
import type { Output, Tone } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { type Answered, answer } from './examine.ts';
import type { DoctorJob } from './job.ts';
import { nextStep } from './next-step.ts';
import { type Examined, type Outcome, exitCodeOf, isHealthy, isRefused } from './outcome.ts';
import { printSession } from './session-text.ts';

const shownAtFirst = 20;
const longestText = 600;
const longestLifted = 4000;

const tones: Readonly<Record<Finding['severity'], Tone>> = { rejected: 'red', degraded: 'yellow', wasteful: 'dim' };

interface Entry {
  readonly place: string;
  readonly severity: Finding['severity'];
  readonly rule: string;
  readonly explain: string;
  readonly line: number | undefined;
  readonly details: readonly string[];
}

/** `m17.2` is part 2 of message 17, both counted from 0 as in a JSON pointer. */
export function placeOf({ message, part }: Finding['at']): string {
  if (message < 0) return 'request';
  return part === undefined ? `m${message}` : `m${message}.${part}`;
}

const repairLine = ({ note, loss }: Repair): string =>
  `repair: ${excerpt(note, longestText)} (${loss === 'none' ? 'no loss' : loss})`;

function withoutRepair({ along }: Answered): string {
  return along === undefined ? 'repair: none of its own' : `repair: comes with that of ${visible(along)}`;
}

function detailsOf(answered: Answered): string[] {
  const { finding, repairs } = answered;
  const error = finding.providerError;
  return [
    ...(error === undefined ? [] : [`expected error: ${excerpt(error, longestText)}`]),
    ...repairs.map(repairLine),
    ...(repairs.length === 0 ? [withoutRepair(answered)] : []),
    `→ rethread explain ${visible(finding.rule)}`,
  ];
}

function entryOf(answered: Answered, lineOf: Examined['lineOf']): Entry {
  const { rule, severity, at, explain } = answered.finding;
  return { place: placeOf(at), severity, rule, explain, line: lineOf(at.message), details: detailsOf(answered) };
}

function fileEntryOf({ rule, severity, line, explain }: FileFinding): Entry {
  const { repair, loss } = fileRule(rule);
  const details = [`repair: ${repair} (${loss === 'none' ? 'no loss' : loss})`, `→ rethread explain ${rule}`];
  return { place: `line ${line}`, severity, rule, explain, line: undefined, details };
}

/** Prints one finding: where, how bad, which rule, and below it what the provider says and what the repair does. */
export function printEntry(entry: Entry, output: Output): void {
  const head = `${visible(entry.place)}  `;
  const label = `${entry.severity.padEnd(8)}  ${visible(entry.rule)}  `;
  const where = entry.line === undefined ? '' : ` (line ${entry.line})`;
  const text = wrap(excerpt(entry.explain, longestText) + where, head.length + label.length, output.width);
  const styled = output.tone(tones[entry.severity], entry.severity) + label.slice(entry.severity.length);
  output.print(output.tone('bold', head) + styled + text);
  const indent = ' '.repeat(head.length);
  for (const detail of entry.details)
    output.print(indent + output.tone('dim', wrap(detail, head.length, output.width)));
}

/** Prints the findings of a report with their repairs. */
export function printFindings(report: Report, repairs: readonly Repair[], output: Output): void {
  const { answered, others } = answer(report.findings, repairs);
  for (const each of answered)
    printEntry(
      entryOf(each, () => undefined),
      output,
    );
  for (const other of others)
    output.print(`also at ${placeOf(other.at)}, ${visible(other.rule)}: ${repairLine(other)}`);
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

/** The share of the content that a repair keeps, rounded down so that a loss never shows as 100 %. */
function shareOf({ preserved }: Report): string {
  if (preserved.ratio >= 1) return '100 %';
  return `${(Math.floor(preserved.ratio * 1000) / 10).toFixed(1)} %`;
}

/** What a repair keeps, as words. A lossy repair can remove a part that holds no text. */
export function keptOf(report: Report): string {
  const lossy = report.repairs.some(({ loss }) => loss === 'lossy');
  if (lossy && report.preserved.ratio >= 1) return 'all message text preserved';
  return `${shareOf(report)} of the content preserved`;
}

const keptIn = (report: Report, lossyInFile: number): string =>
  lossyInFile === 0 ? keptOf(report) : `${shareOf(report)} of what could be read preserved`;

function tally({ examination, fileFindings }: Examined): string {
  const { report, repaired } = examination;
  const repairs = repaired?.report.repairs ?? [];
  const { answered } = answer(report.findings, repairs);
  const isWhole = repaired !== undefined && repaired.report.verdict !== 'broken';
  const repairable = answered.filter((each) => isWhole || each.repairs.length > 0).length + fileFindings.length;
  const lossyInFile = fileFindings.filter(({ rule }) => fileRule(rule).loss === 'lossy').length;
  const lossy = repairs.filter(({ loss }) => loss === 'lossy').length + lossyInFile;
  const total = report.findings.length + fileFindings.length;
  const kept = repaired === undefined ? [] : [keptIn(repaired.report, lossyInFile)];
  const spoken = (some: number, word: string): string => `${some.toLocaleString('en-US')} ${word}`;
  return [count(total, 'finding'), spoken(repairable, 'repairable'), spoken(lossy, 'lossy'), ...kept].join(' · ');
}

/** The verdict on the file as it is now, in one sentence. */
function verdictOf(examined: Examined): string {
  const { report } = examined.examination;
  if (examined.backup !== undefined) return 'repaired: read again from disk, it passes every rule';
  if (isRefused(examined)) return 'refused: the provider does not take it, and no repair changes that';
  if (isHealthy(examined)) return report.findings.length === 0 ? 'clean' : 'clean: accepted as it is, with some waste';
  if (report.verdict === 'waiting') return 'waiting: a call is still open';
  if (examined.examination.repaired?.report.refusal !== undefined) return 'broken: the provider has refused it';
  if (report.findings.some(({ severity }) => severity === 'rejected')) return 'broken: the provider would refuse it';
  if (report.verdict === 'clean') return 'broken: the messages are sound, the file is not';
  return 'broken: the provider may accept it, but it does harm';
}

/** A system message as text: its own where it is plain, and as JSON where it is more than that. */
function liftedText(message: unknown): string {
  const content = typeof message === 'object' && message !== null && 'content' in message ? message.content : message;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function printLifted({ examination, backup }: Examined, output: Output): void {
  const lifted = examination.repaired?.lifted;
  if (lifted === undefined) return;
  const where =
    backup === undefined ? 'would not be in the repaired list' : 'is not in the repaired list; the backup keeps it';
  output.print(`The system text has no place in a bare list and ${where}. Send it as the request's system field:`);
  for (const message of lifted) output.print(`  ${excerpt(liftedText(message), longestLifted)}`);
}

/** What was made of the refusal that was given with the session. */
function printRefusal({ examination }: Examined, output: Output): void {
  const refusal = examination.repaired?.report.refusal;
  if (refusal === undefined) return;
  const { known, rule, note, at } = refusal;
  const where = at === undefined ? '' : ` at ${placeOf(at)}`;
  const what = known ? (rule === undefined ? 'not about the history' : `${visible(rule)}${where}`) : 'not on record';
  output.print(wrap(`refusal: ${what}; ${visible(note)}`, 0, output.width));
}

function printExamined(examined: Examined, output: Output, job: DoctorJob): void {
  const { name, form, examination, fileFindings } = examined;
  const { report, messages, repaired } = examination;
  const dialect = visible(report.dialect ?? 'no dialect');
  const facts = `${dialect}, ${form.toUpperCase()}, ${count(messages, 'message')}`;
  output.print(`${output.tone('bold', visible(name))}: ${facts}`);
  const { answered, others } = answer(report.findings, repaired?.report.repairs ?? []);
  const total = answered.length + fileFindings.length;
  const limit = job.all ? total : shownAtFirst;
  const entries = fileFindings.slice(0, limit).map(fileEntryOf);
  for (const each of answered.slice(0, limit - entries.length)) entries.push(entryOf(each, examined.lineOf));
  for (const entry of entries) printEntry(entry, output);
  if (total > limit) output.print(`… and ${count(total - limit, 'more finding')}; --all shows them`);
  for (const other of others.slice(0, job.all ? others.length : shownAtFirst)) {
    output.print(`also at ${placeOf(other.at)}, ${visible(other.rule)}: ${repairLine(other)}`);
  }
  if (!job.all && others.length > shownAtFirst)
    output.print(`… and ${count(others.length - shownAtFirst, 'more change')}`);
  printRefusal(examined, output);
  if (total > 0) output.print(tally(examined));
  printLifted(examined, output);
  const isGood = (isHealthy(examined) && !isRefused(examined)) || examined.backup !== undefined;
  output.print(output.tone(isGood ? 'green' : 'red', verdictOf(examined)));
  output.print(nextStep(examined, job, output.width));
}

/** Prints what came of one file. */
export function printOutcome(
  outcome: Exclude<Outcome, { kind: 'unreadable' }>,
  desk: { job: DoctorJob; output: Output; isFirst: boolean },
): void {
  const { job, output } = desk;
  if (outcome.kind === 'restored') {
    const { backup, kept } = outcome.undone;
    const also =
      kept === undefined ? '' : `; it had been written to since the repair, and that version is now ${visible(kept)}`;
    if (job.print !== 'quiet') output.print(`${visible(outcome.name)}: restored from ${visible(backup)}${also}`);
    return;
  }
  if (outcome.kind === 'session') {
    const { name, judgement } = outcome;
    if (job.print !== 'quiet') {
      if (!desk.isFirst) output.print('');
      printSession(outcome, { output, all: job.all });
    } else if (exitCodeOf(outcome) !== 0) {
      output.print(`${visible(name)}: ${judgement.verdict}, ${count(judgement.findings.length, 'finding')}`);
    }
    return;
  }
  if (job.print === 'quiet') {
    const verdict = outcome.backup === undefined ? verdictOf(outcome) : 'repaired';
    if (!isHealthy(outcome) || isRefused(outcome))
      output.print(`${visible(outcome.name)}: ${verdict}, ${tally(outcome)}`);
    return;
  }
  if (!desk.isFirst) output.print('');
  printExamined(outcome, output, job);
}
