import { lstatSync, realpathSync } from 'node:fs';

import { type Dialect, check } from '@rethread/core';

import { collapsedFinding, collapsedKeys } from '../files/collapsed-keys.ts';
import type { Gate } from '../files/gate.ts';
import { bytesOf } from '../files/pieces.ts';
import { readSession, type Session } from '../files/read-session.ts';
import { piecesOf } from '../files/rewrite.ts';
import {
  type FileSource,
  type Source,
  fromChunks,
  megabytes,
  openFile,
  refuseLink,
  unreadable,
} from '../files/source.ts';
import { saveNew } from '../files/save-new.ts';
import { swapIn, undo } from '../files/swap.ts';
import { formOf, writtenAs } from '../files/written.ts';
import { sarifReport } from '../report/sarif.ts';
import type { JudgedSession } from '../sessions/judged-session.ts';
import { printTable, rowOf } from '../sessions/session-table.ts';
import { type Output, createOutput } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { Unreadable, reasonOf } from '../unreadable.ts';
import { type Examination, examine, hindrance } from './examine.ts';
import { faultOf } from './fault.ts';
import { type DoctorJob, type ExitCode, type Patient, exitCode } from './job.ts';
import { type Examined, type Outcome, exitCodeOf, isHealthy } from './outcome.ts';
import { jsonReport } from './report-json.ts';
import { printOutcome } from './report-text.ts';

interface Desk {
  readonly job: DoctorJob;
  readonly gate: Gate;
  readonly output: Output;
}

/** More sessions than this are told of in one row each. */
const fewSessions = 3;

const isJudged = (patient: Patient): patient is JudgedSession => patient.kind === 'session';

const progressFrom = 50_000_000;

function open(path: string, { output }: Desk): FileSource {
  let shown = -1;
  const source = openFile(path, (bytes) => {
    const percent = Math.floor((bytes / source.size) * 100);
    if (source.size < progressFrom || percent === shown) return;
    shown = percent;
    output.progress(percent === 100 ? '' : `reading ${visible(path)}: ${percent} % of ${megabytes(source.size)}`);
  });
  return source;
}

function examinedOf(name: string, session: Session, examination: Examination): Examined {
  const lineOf = (message: number): number | undefined =>
    session.form === 'jsonl' ? session.lines[message]?.number : undefined;
  return { kind: 'examined', name, form: session.form, lineOf, fileFindings: session.findings, examination };
}

/** What the file would hold after a repair. */
const outputOf = ({ repaired }: Examination, session: Session): unknown =>
  repaired === undefined ? session.value : repaired.output;

function look(name: string, { session, source }: { session: Session; source: Source }, job: DoctorJob): Examined {
  const examination = examine(session, job);
  const examined = examinedOf(name, session, examination);
  if (isHealthy(examined)) return examined;
  const collapsed = collapsedKeys(session, source, { value: outputOf(examination, session) }).map(collapsedFinding);
  return { ...examined, fileFindings: [...examined.fileFindings, ...collapsed] };
}

/** Writes what the repair makes of a session to a new file; of a healthy one, all of it. */
function writeOut(
  { session, source }: { session: Session; source: Source },
  examined: Examined,
  out: string,
): Examined {
  const refused = hindrance(examined.examination);
  if (refused !== undefined) return { ...examined, refused };
  const output = outputOf(examined.examination, session);
  saveNew(out, bytesOf(writtenAs(session, output, formOf(out, output)), source));
  return { ...examined, written: out };
}

function examineSource(name: string, source: Source, job: DoctorJob): Examined {
  const session = readSession(source);
  const examined = look(name, { session, source }, job);
  return job.out === undefined ? examined : writeOut({ session, source }, examined, job.out);
}

function verifyDraft(draft: string, expected: unknown, target: DoctorJob['target']): void {
  const source = openFile(draft);
  try {
    const fault = faultOf(readSession(source), expected, target);
    if (fault === undefined) return;
    throw new Unreadable(`could not be repaired: what was written did not pass the check (${fault}); it is unchanged`);
  } finally {
    source.close();
  }
}

function fix(source: FileSource, session: Session, { job, gate }: Desk): Examined {
  const examined = look(source.path, { session, source }, job);
  if (isHealthy(examined)) return examined;
  const { examination } = examined;
  const refused = hindrance(examination);
  if (refused !== undefined) return { ...examined, refused };
  const output = outputOf(examination, session);
  const pieces = piecesOf(session, output);
  const { dialect } = examination.report;
  const target = { ...job.target, ...(dialect === undefined ? {} : { dialect: dialect as Dialect }) };
  const verify = (draft: string): void => verifyDraft(draft, output, target);
  return {
    ...examined,
    ...showsAs(output, job.target, target),
    backup: swapIn({ source, pieces, token: job.token, gate, verify }),
  };
}

/** Where calls alone showed the dialect, what is left without them may be taken for another, and found fault with. */
function showsAs(output: unknown, given: DoctorJob['target'], used: DoctorJob['target']): Pick<Examined, 'showsAs'> {
  const { dialect, verdict } = check(output, given);
  return dialect === undefined || dialect === used.dialect || verdict === 'clean' ? {} : { showsAs: dialect };
}

const linkOf = (path: string): Pick<Examined, 'linksTo'> =>
  lstatSync(path).isSymbolicLink() ? { linksTo: realpathSync(path) } : {};

function visit(patient: Patient, desk: Desk): Outcome {
  const { job, gate } = desk;
  if (patient.kind === 'unreadable' || patient.kind === 'session') return patient;
  if (patient.kind === 'pipe') {
    if (job.mode !== 'look') throw new Unreadable(`cannot be changed; write the repaired history to a file with --out`);
    const source = fromChunks(patient.chunks);
    return examineSource(patient.name, source, job);
  }
  const { path } = patient;
  if (job.mode !== 'look') refuseLink(path);
  if (job.mode === 'undo') return { kind: 'restored', name: path, undone: undo(path, gate) };
  const source = open(path, desk);
  try {
    if (job.mode === 'fix') return fix(source, readSession(source), desk);
    return { ...examineSource(path, source, job), ...linkOf(path) };
  } finally {
    source.close();
  }
}

function outcomeOf(patient: Patient, desk: Desk): Outcome {
  try {
    return visit(patient, desk);
  } catch (error) {
    desk.output.progress('');
    const name = patient.kind === 'file' ? patient.path : patient.name;
    return { kind: 'unreadable', name, reason: unreadable(error).message };
  }
}

/** Examines, repairs or restores each file in turn, prints what came of it, and gives the exit code. */
export function runDoctor(job: DoctorJob, gate: Gate): ExitCode {
  const output = createOutput(job.terminal);
  const desk = { job, gate, output };
  const outcomes: Outcome[] = [];
  let code: ExitCode = exitCode.healthy;
  const isDocument = job.print === 'json' || job.print === 'sarif';
  const isTabled = job.print === 'text' && !job.all && job.patients.length > fewSessions;
  if (isTabled) printTable(job.patients.filter(isJudged).map(rowOf), output, { withTool: true });
  for (const [index, patient] of job.patients.entries()) {
    const outcome = outcomeOf(patient, desk);
    if (outcome.kind === 'unreadable') output.complain(`rethread: ${visible(`${outcome.name} ${outcome.reason}`)}`);
    else if (!isDocument && !(isTabled && outcome.kind === 'session'))
      printOutcome(outcome, { ...desk, isFirst: index === 0 });
    if (isDocument) outcomes.push(outcome);
    code = Math.max(code, exitCodeOf(outcome)) as ExitCode;
  }
  if (isDocument) output.print(job.print === 'json' ? jsonReport(outcomes) : sarifReport(outcomes));
  return code;
}

/** The sentence for a failure that no file is to blame for. */
export const complaintOf = (error: unknown): string => `rethread: ${visible(reasonOf(error))}`;
