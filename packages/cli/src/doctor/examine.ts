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
import type { DoctorJob } from './job.ts';

/** What the core says about a session: its state now, and what a repair would make of it. */
export interface Examination {
  readonly report: Report;
  readonly messages: number;
  /** Nothing when the history is clean: there is nothing to repair then. */
  readonly repaired?: Repaired<unknown>;
}

/** A finding with the changes that answer it. */
export interface Answered {
  readonly finding: Finding;
  readonly repairs: readonly Repair[];
  /** The rule whose repair of the same place answers this finding too. */
  readonly along?: string;
}

/** Where the requests of providers keep their list. */
const LIST_KEYS = ['messages', 'contents', 'input'] as const;

function messagesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const body: Partial<Record<(typeof LIST_KEYS)[number], unknown>> = value;
  const key = LIST_KEYS.find((name) => body[name] !== undefined);
  if (key === undefined) return undefined;
  const list = body[key];
  if (Array.isArray(list)) return list;
  // Some providers take one text or one message in place of a list of one.
  return key === 'messages' ? undefined : [list];
}

type Asked = Pick<DoctorJob, 'target' | 'policy' | 'refusal'>;

/** What a refusal was about counts as found, whatever the rules say of this model. */
function withRefusal(report: Report, repaired: Repaired<unknown>): Report {
  const { findings } = repaired.report;
  return repaired.changed ? { ...report, verdict: 'broken', findings } : report;
}

/** Asks the core about a session that was read; a file of some other kind is refused in one sentence. */
export function examine(session: Session, { target, policy, refusal }: Asked): Examination {
  const messages = messagesOf(session.value);
  if (messages === undefined) {
    throw new Unreadable('is JSON but not a history: expected a list of messages, or a request with one');
  }
  const report = check(session.value, target);
  if (report.dialect === undefined && report.verdict !== 'clean') {
    throw new Unreadable(
      'is not a history in a dialect rethread knows; if you know which it is, name it with --dialect',
    );
  }
  if (report.verdict === 'clean' && refusal === undefined) return { report, messages: messages.length };
  const options: RepairOptions = { policy, ...(refusal === undefined ? {} : { refusal }) };
  const repaired = repair(session.value, target, options);
  const found = refusal === undefined ? report : withRefusal(report, repaired);
  return { report: found, messages: messages.length, repaired };
}

/** Why the repaired history is not worth writing to disk, or nothing when it is. */
export function hindrance({ repaired }: Examination): string | undefined {
  if (repaired === undefined) return undefined;
  const { output, report } = repaired;
  if (report.verdict === 'broken') return 'a finding is left that no change of the history can repair';
  if (report.verdict === 'waiting') return 'a call is still open';
  const isEmpty = report.verdict === 'emptied' || (Array.isArray(output) && output.length === 0);
  return isEmpty ? 'nothing of this history could be kept' : undefined;
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
