import type { RepairOptions, TargetInput } from '@rethread/core';

import type { JudgedSession } from '../sessions/judged-session.ts';
import type { Terminal } from '../terminal/output.ts';

/** One thing that was named on the command line, as far as the doctor knows it. */
export type Patient =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'pipe'; readonly name: string; readonly chunks: readonly Uint8Array[] }
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string }
  | JudgedSession;

/** The files that the doctor opens itself. */
export const filesOf = (patients: readonly Patient[]): string[] =>
  patients.flatMap((patient) => (patient.kind === 'file' ? [patient.path] : []));

/** Everything one run of the doctor needs, as plain data: it crosses to a worker thread. */
export interface DoctorJob {
  readonly patients: readonly Patient[];
  readonly mode: 'look' | 'fix' | 'undo';
  /** A new file for the repaired history. */
  readonly out?: string;
  readonly target: Exclude<TargetInput, string>;
  readonly policy: Extract<RepairOptions['policy'], string>;
  /** What the provider answered to this history. */
  readonly refusal?: string;
  /** The same as it was given: the words, or the name of the file that has them. */
  readonly refusalGiven?: string;
  /** Repair also what does not look like a history of the dialect. */
  readonly force: boolean;
  readonly print: 'text' | 'json' | 'sarif' | 'quiet';
  readonly all: boolean;
  readonly terminal: Terminal;
  /** Drawn at random for this run; names the draft files. */
  readonly token: string;
}

/** The exit codes that scripts rely on. */
export const exitCode = { healthy: 0, findings: 1, unreadable: 2 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
