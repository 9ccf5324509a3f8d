import { project, toWire } from './history.ts';
import type { Report, RepairOptions } from './model/finding.ts';
import type { SessionRecord } from './model/record.ts';
import { repair } from './repair.ts';
import { verify, type Sendable } from './sendable.ts';
import type { TargetInput } from './target.ts';

/** What is sent, and what it took to make it sendable. */
export type Prepared = {
  /** Undefined only while calls are deliberately left open, or when a limit is reached that no repair can lift. */
  readonly sendable: Sendable | undefined;
  readonly report: Report;
  readonly lifted?: readonly unknown[];
};

/** Turns a stored session into a history the provider will accept. The main path: project, repair, verify. */
export function prepare(records: readonly SessionRecord[], target?: TargetInput, options?: RepairOptions): Prepared {
  const history = project(records);
  const wire = history === undefined ? [] : toWire(history);
  const asked = typeof target === 'string' ? { dialect: target } : { ...target };
  const where = history === undefined ? asked : { dialect: history.dialect, ...asked };
  const { output, report, lifted } = repair<unknown>(wire, where, options);
  const verified = verify(output, where);
  return {
    sendable: verified.ok ? verified.sendable : undefined,
    report,
    ...(lifted === undefined ? {} : { lifted }),
  };
}
