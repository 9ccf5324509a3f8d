import type { Dialect } from './codecs/dialects.ts';
import { convert, type Converted } from './convert.ts';
import { projectWithSources, toWire } from './history.ts';
import type { Report, RepairOptions } from './model/finding.ts';
import type { ConversionLoss } from './model/crossing.ts';
import type { SessionRecord } from './model/record.ts';
import { evidenceIn } from './project.ts';
import { repair } from './repair.ts';
import { verify, type Sendable } from './sendable.ts';
import type { TargetInput } from './target.ts';

/** What is sent, and what it took to make it sendable. */
export type Prepared = {
  /** Undefined only while calls are deliberately left open, or when a limit is reached that no repair can lift. */
  readonly sendable: Sendable | undefined;
  readonly report: Report;
  /** For each message that the report speaks of, the number of the record that it comes from. */
  readonly sources: readonly number[];
  /** What could not be carried over, where the target has another dialect than the session. */
  readonly losses?: readonly ConversionLoss[];
  readonly lifted?: readonly unknown[];
};

/** Turns a stored session into a history the provider will accept. The main path: project, repair, verify. */
export function prepare(
  records: readonly SessionRecord[],
  target?: TargetInput,
  options: RepairOptions = {},
): Prepared {
  const history = projectWithSources(records);
  const wire = history === undefined ? [] : toWire(history);
  const asked = typeof target === 'string' ? { dialect: target } : { ...target };
  const where = history === undefined ? asked : { dialect: history.dialect, ...asked };
  const evidence = { ...evidenceIn(records), ...options.evidence };
  const crossed = cross(wire, history?.dialect, where);
  const { output, report, lifted } = repair<unknown>(crossed.output, where, { ...options, evidence });
  const verified = verify(output, where);
  return {
    sendable: verified.ok ? verified.sendable : undefined,
    report: crossed.report === undefined ? report : joinReports(crossed.report, report),
    sources: history?.sources ?? [],
    ...(crossed.losses === undefined ? {} : { losses: crossed.losses }),
    ...(lifted === undefined && crossed.lifted === undefined
      ? {}
      : { lifted: [...(crossed.lifted ?? []), ...(lifted ?? [])] }),
  };
}

type Where = { readonly dialect?: Dialect; readonly model?: string };

/** A session that goes on at another provider is written in its words first. */
function cross(wire: unknown, from: Dialect | undefined, { dialect, model }: Where): Partial<Converted> {
  if (from === undefined || dialect === undefined || from === dialect) return { output: wire };
  return convert(wire, { from, to: dialect, ...(model === undefined ? {} : { model }) });
}

/** What the crossing took, located in the stored messages, and what was left to be done after it. */
function joinReports(crossing: Report, after: Report): Report {
  if (after.repairs.length === 0) return crossing;
  const repairs = [...crossing.repairs, ...after.repairs];
  return { ...after, findings: [...crossing.findings, ...after.findings], repairs };
}
