import type { RepairOptions, TargetInput } from '@rethread/core';

import type { Terminal } from '../terminal/output.ts';

/** Everything one run of the doctor needs, as plain data: it crosses to a worker thread. */
export interface DoctorJob {
  readonly files: readonly string[];
  /** The bytes of standard input, where one of the files is `-`. */
  readonly stdin?: readonly Uint8Array[];
  readonly mode: 'look' | 'fix' | 'undo';
  readonly target: Exclude<TargetInput, string>;
  readonly policy: Extract<RepairOptions['policy'], string>;
  /** What the provider answered to this history. */
  readonly refusal?: string;
  /** The same as it was given: the words, or the name of the file that has them. */
  readonly refusalGiven?: string;
  /** Repair also what does not look like a history of the dialect. */
  readonly force: boolean;
  readonly print: 'text' | 'json' | 'quiet';
  readonly all: boolean;
  readonly terminal: Terminal;
  /** Drawn at random for this run; names the draft files. */
  readonly token: string;
}

/** The exit codes that scripts rely on. */
export const exitCode = { healthy: 0, findings: 1, unreadable: 2 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
