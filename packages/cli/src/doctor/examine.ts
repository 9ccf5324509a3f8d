import {
  type Finding,
  type Repair,
  type RepairOptions,
  type Repaired,
  type Report,
  check,
  repair,
} from '@rethread/core';

import { Unreadable } from '../unreadable.ts';
import type { Session } from '../files/read-session.ts';
import { foreignContent, foreignShape, keysOfItsOwn } from './foreign.ts';
import { messagesGone } from './gone.ts';
import type { DoctorJob } from './job.ts';
import { messagesOf } from '../files/message-list.ts';

/** What the core says about a session: its state now, and what a repair would make of it. */
export interface Examination {
  readonly report: Report;
  readonly messages: number;
  /** Nothing when the history is clean: there is nothing to repair then. */
  readonly repaired?: Repaired<unknown>;
  /** The messages whose words a repair would lose without saying so; empty as long as the core does what it says. */
  readonly gone: readonly number[];
}

/** A finding with the changes that answer it. */
export interface Answered {
  readonly finding: Finding;
  readonly repairs: readonly Repair[];
  /** The rule whose repair of the same place answers this finding too. */
  readonly along?: string;
}

type Asked = Pick<DoctorJob, 'target' | 'policy' | 'refusal' | 'force'>;

/** What a refusal was about counts as found, whatever the rules say of this model. */
function withRefusal(report: Report, repaired: Repaired<unknown>): Report {
  const { findings } = repaired.report;
  return repaired.changed ? { ...report, verdict: 'broken', findings } : report;
}

/** Refuses what is plainly no history of this dialect, unless somebody insists. */
function refuseForeign(seems: string | undefined, { force, target }: Asked): void {
  if (seems === undefined || force) return;
  const insist = target.dialect === undefined ? '' : `; --force takes it for ${target.dialect} all the same`;
  throw new Unreadable(`${seems}; rethread does not read such a file yet and leaves it as it is${insist}`);
}

/** What to judge it as, where nobody has said so: a document that some program keeps is a history and no request. */
function targetOf(messages: readonly unknown[], { target }: Asked, own: string | undefined): DoctorJob['target'] {
  if (own !== undefined) return { ...target, purpose: 'history' };
  // An empty list shows no dialect and is healthy in each, but as a request all of them refuse it.
  const isUntold = messages.length === 0 && target.dialect === undefined && target.model === undefined;
  return isUntold && target.purpose === 'request' ? { ...target, dialect: 'openai-chat' } : target;
}

/** Asks the core about a session that was read; a file of some other kind is refused in one sentence. */
export function examine(session: Session, asked: Asked): Examination {
  const { policy, refusal } = asked;
  refuseForeign(foreignShape(session.value), asked);
  const own = asked.target.purpose === undefined ? keysOfItsOwn(session.value) : undefined;
  const messages = messagesOf(session.value);
  if (messages === undefined) {
    throw new Unreadable('is JSON but not a history: expected a list of messages, or a request with one');
  }
  const target = targetOf(messages, asked, own);
  const report = check(session.value, target);
  if (report.dialect === undefined && report.verdict !== 'clean') {
    const { dialect } = asked.target;
    throw new Unreadable(
      dialect === undefined
        ? 'is not a history in a dialect rethread knows; if you know which it is, name it with --dialect'
        : `holds no list of messages where ${dialect} has one`,
    );
  }
  refuseForeign(foreignContent(report, messages.length, own), asked);
  const base = { report, messages: messages.length, gone: [] };
  if (report.verdict === 'clean' && refusal === undefined) return base;
  const options: RepairOptions = { policy, ...(refusal === undefined ? {} : { refusal }) };
  const repaired = repair(session.value, target, options);
  const found = refusal === undefined ? report : withRefusal(report, repaired);
  return { ...base, report: found, repaired, gone: messagesGone(session.value, repaired) };
}

/** Why the repaired history is not worth writing to disk, or nothing when it is. */
export function hindrance(examination: Examination): string | undefined {
  const { repaired } = examination;
  if (repaired === undefined) return undefined;
  const { output, report } = repaired;
  if (report.verdict === 'broken') return 'a finding is left that no change of the history can repair';
  if (report.verdict === 'waiting') return 'a call is still open';
  const isEmpty = report.verdict === 'emptied' || (Array.isArray(output) && output.length === 0);
  if (isEmpty) return 'nothing of this history could be kept';
  const lost = lostUntold(examination);
  return lost === undefined ? undefined : `the repair would lose ${lost}`;
}

/** What a repair would lose without accounting for it, in words. */
function lostUntold({ gone }: Examination): string | undefined {
  if (gone.length === 0) return undefined;
  const what = gone.length === 1 ? `m${gone[0]}` : `${gone.length} messages, the first of them m${gone[0]}`;
  return `words of ${what}, which no finding accounts for`;
}

const place = ({ rule, at }: Finding | Repair): string => `${rule} ${at.pointer}`;

/** Joins findings and repairs by rule and place; what a later pass changed in consequence comes back as `others`. */
export function answer(
  findings: readonly Finding[],
  repairs: readonly Repair[],
): { readonly answered: readonly Answered[]; readonly others: readonly Repair[] } {
  const waiting = Map.groupBy(repairs, place);
  const byPointer = new Map(repairs.map(({ at, rule }) => [at.pointer, rule]));
  const answered = findings.map((finding) => {
    const own = waiting.get(place(finding)) ?? [];
    waiting.delete(place(finding));
    const along = own.length === 0 ? byPointer.get(finding.at.pointer) : undefined;
    return { finding, repairs: own, ...(along === undefined ? {} : { along }) };
  });
  return { answered, others: [...waiting.values()].flat() };
}
