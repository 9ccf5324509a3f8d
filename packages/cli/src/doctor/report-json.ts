import type { JudgedSession } from '../sessions/judged-session.ts';
import { visibleJson } from '../terminal/visible.ts';
import type { Examined, Outcome } from './outcome.ts';
import { exitCodeOf } from './outcome.ts';
import { happened, nextStep } from './session-words.ts';

const withLine = <T extends { readonly at: { readonly message: number } }>(found: T, { lineOf }: Examined): object => {
  const line = lineOf(found.at.message);
  return line === undefined ? found : { ...found, line };
};

function examinedEntry(outcome: Examined): object {
  const { name, form, fileFindings, examination, backup, showsAs, refused, written } = outcome;
  const { report, messages, repaired } = examination;
  return {
    file: name,
    form,
    dialect: report.dialect,
    messages,
    verdict: report.verdict,
    findings: report.findings.map((finding) => withLine(finding, outcome)),
    fileFindings,
    ...(repaired === undefined
      ? {}
      : {
          repair: {
            verdict: repaired.report.verdict,
            passes: repaired.report.passes,
            preserved: repaired.report.preserved,
            repairs: repaired.report.repairs.map((each) => withLine(each, outcome)),
            next: repaired.report.next,
            refusal: repaired.report.refusal,
            lifted: repaired.lifted,
          },
        }),
    backup,
    showsAs,
    refused,
    written,
  };
}

/** A session of a tool. `next` is the command to go on with. */
function sessionEntry(session: JudgedSession): object {
  const { kind: _, name, path, judgement, modified, ...about } = session;
  const { command } = nextStep(session);
  const written = new Date(modified).toISOString();
  return { file: path, name, ...about, modified: written, ...judgement, happened: happened(session), next: command };
}

function entryOf(outcome: Outcome): object {
  if (outcome.kind === 'unreadable') return { file: outcome.name, error: outcome.reason };
  if (outcome.kind === 'restored') return { file: outcome.name, restored: outcome.undone };
  return outcome.kind === 'session' ? sessionEntry(outcome) : examinedEntry(outcome);
}

/** The report for machines: one object, with an entry for each file in the order given. */
export function jsonReport(outcomes: readonly Outcome[]): string {
  const files = outcomes.map((outcome) => ({ ...entryOf(outcome), exitCode: exitCodeOf(outcome) }));
  return visibleJson({ schema: 'rethread/doctor@1', files }, 2);
}
