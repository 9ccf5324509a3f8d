import type { SessionVerdict } from '@rethread/formats';

import type { FileFinding } from '../files/file-rules.ts';
import type { Session } from '../files/read-session.ts';
import type { Undone } from '../files/swap.ts';
import type { JudgedSession } from '../sessions/judged-session.ts';
import type { Examination } from './examine.ts';
import { type ExitCode, exitCode } from './job.ts';

/** What came of one file. */
export type Outcome =
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string }
  | { readonly kind: 'restored'; readonly name: string; readonly undone: Undone }
  | JudgedSession
  | Examined;

/** A file that was read, and perhaps repaired on disk. */
export interface Examined {
  readonly kind: 'examined';
  readonly name: string;
  readonly form: Session['form'];
  /** The line of each message, for a file of lines. */
  readonly lineOf: (message: number) => number | undefined;
  readonly fileFindings: readonly FileFinding[];
  readonly examination: Examination;
  /** The new file that the repaired history was written to. */
  readonly written?: string;
  /** Set once the repaired file is in place. */
  readonly backup?: string;
  /** The dialect that the repaired file would be taken for, where that is another and would find fault with it. */
  readonly showsAs?: string;
  /** Why nothing was written although that was asked for. */
  readonly refused?: string;
  /** The file itself, where the name is that of a symbolic link, which a repair does not follow. */
  readonly linksTo?: string;
}

/**
 * Has the provider refused this history for a reason on record, and nothing was found to change about it? Sent again as
 * it is, it would be refused again, unless the answer was to blame and not the history.
 */
export function isRefused({ examination, backup }: Examined): boolean {
  const { repaired } = examination;
  const refusal = repaired?.report.refusal;
  if (repaired === undefined || repaired.changed || backup !== undefined) return false;
  return refusal?.known === true && !refusal.note.startsWith('ask again');
}

/** Does this file need a repair? Waste alone does not. */
export function isHealthy({ fileFindings, examination }: Examined): boolean {
  return examination.report.verdict === 'clean' && fileFindings.every(({ severity }) => severity === 'wasteful');
}

/** Verdicts on which nobody has to act. */
const fine: ReadonlySet<SessionVerdict> = new Set(['healthy', 'running', 'heavy']);

export function exitCodeOf(outcome: Outcome): ExitCode {
  if ('written' in outcome && outcome.written !== undefined) return exitCode.healthy;
  if (outcome.kind === 'session') return fine.has(outcome.judgement.verdict) ? exitCode.healthy : exitCode.findings;
  if (outcome.kind === 'unreadable') return exitCode.unreadable;
  if (outcome.kind === 'examined' && isRefused(outcome)) return exitCode.findings;
  if (outcome.kind === 'restored' || outcome.backup !== undefined || isHealthy(outcome)) return exitCode.healthy;
  return exitCode.findings;
}
