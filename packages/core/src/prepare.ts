import { relocateUnited, repairLosses } from './convert/relocate.ts';
import { gather, toWire } from './history.ts';
import type { Dialect } from './model/dialect.ts';
import type { Report, RepairOptions } from './model/finding.ts';
import { inReadingOrder, type ConversionLoss } from './model/loss.ts';
import type { Message } from './model/part.ts';
import type { SessionRecord } from './model/record.ts';
import type { Evidence } from './model/synthetic.ts';
import { evidenceIn } from './project.ts';
import { repair } from './repair.ts';
import { verify, type Sendable } from './sendable.ts';
import type { TargetInput } from './target.ts';

/** What is sent, and what it took to make it sendable. */
export type Prepared<D extends Dialect = Dialect, M = unknown> = {
  /** Undefined only while calls are deliberately left open, or when a limit is reached that no repair can lift. */
  readonly sendable: Sendable<D, M[]> | undefined;
  readonly report: Report;
  /** For each message that the report speaks of, the number of the record that it comes from. */
  readonly sources: readonly number[];
  /** What could not be carried over, where the target has another dialect than the session. */
  readonly losses?: readonly ConversionLoss[];
  readonly lifted?: readonly unknown[];
};

/**
 * Turns a stored session into a history the provider will accept. The main path: project, repair, verify.
 *
 * @example
 * const { sendable, report } = prepare(records, { model: 'the-model' });
 * if (sendable !== undefined) await send(encode(sendable));
 */
export function prepare<D extends Dialect = Dialect, M = unknown>(
  records: readonly SessionRecord[],
  target?: TargetInput<D>,
  options: RepairOptions = {},
): Prepared<D, M> {
  const asked: Exclude<TargetInput, string> = typeof target === 'string' ? { dialect: target } : { ...target };
  const { recorded, united } = gather(records, asked) ?? {};
  const history = united ?? recorded;
  const wire = history === undefined ? [] : toWire(history);
  const where = history === undefined ? asked : { dialect: history.dialect, ...asked };
  const evidence = withIds({ ...evidenceIn(records), ...options.evidence }, united?.ids);
  const prefixDigests = { ...digestsIn(history?.messages ?? []), ...options.prefixDigests };
  const { output, report, lifted } = repair(wire as M[], where, { ...options, evidence, prefixDigests });
  const verified = verify(output, where);
  const told = united === undefined ? report : relocateUnited(report, united.made);
  return {
    sendable: verified.ok ? (verified.sendable as Sendable<D, M[]>) : undefined,
    report: told,
    sources: recorded?.sources ?? [],
    ...(united === undefined ? {} : { losses: inReadingOrder([...united.losses, ...repairLosses(told)]) }),
    ...(lifted === undefined ? {} : { lifted }),
  };
}

/** What is known about calls, under the ids that they have in the target. */
function withIds(evidence: Evidence, ids: ReadonlyMap<string, string> | undefined): Evidence {
  if (ids === undefined) return evidence;
  return Object.fromEntries(Object.entries(evidence).map(([id, kind]) => [ids.get(id) ?? id, kind]));
}

/** By the places of messages what had been sent when they came, where that was recorded. */
function digestsIn(messages: readonly Message[]): Readonly<Record<number, string>> {
  const digests: Record<number, string> = {};
  for (const [index, { origin }] of messages.entries()) {
    if (origin?.prefixDigest !== undefined) digests[index] = origin.prefixDigest;
  }
  return digests;
}
