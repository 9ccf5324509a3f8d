import { CODECS } from './dialects/dialects.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import { fallBack, isRefused, type CutsOf } from './engine/fallback.ts';
import { isHealthy, makeReport } from './engine/report.ts';
import type { Target } from './engine/target.ts';
import { examine, treat, type Examined, type Outcome, type Treatment } from './engine/treat.ts';
import type { Finding, Repair, RepairOptions, Report, Verdict } from './model/finding.ts';
import { PRESERVE, resolvePolicy } from './model/policy.ts';
import { ask } from './model/read-safely.ts';
import { mend, withKeys } from './model/value.ts';
import { answerRefusal } from './refusal.ts';
import { repairOptionFindings, targetFindings } from './option-findings.ts';
import { cuts } from './slices.ts';
import { pruneRawContent } from './prune-raw-content.ts';
import { resolveTarget, type Resolved, type TargetInput } from './target.ts';

/** A history made sendable, and what that took. */
export type Repaired<T> = {
  /** What to send; the input itself if nothing was changed. */
  readonly output: T;
  readonly changed: boolean;
  /** What was found and done. */
  readonly report: Report;
  /** System messages that a bare list has no place for: send them in the request's own field. */
  readonly lifted?: readonly unknown[];
};

const MAX_PASSES = 10;

const WHOLE = { message: -1, pointer: '' } as const;
const HOSTILE: Finding = {
  rule: 'value-unserialisable',
  severity: 'rejected',
  at: WHOLE,
  explain: 'something around the messages throws when it is read',
};
const COPIED: Repair = {
  rule: 'value-unserialisable',
  at: WHOLE,
  action: 'rewrite',
  loss: 'lossy',
  note: 'replaced the input by a copy of everything in it that can be read',
};

/**
 * Judges a history without changing it. Never throws.
 *
 * @example
 * const { verdict, findings } = check(request);
 * if (verdict === 'broken') console.log(findings[0]?.explain);
 */
export function check<T>(input: T, target?: TargetInput): Report {
  return withFindings(checkAny(input, target), targetFindings(target));
}

function checkAny(input: unknown, wanted: TargetInput | undefined): Report {
  try {
    return checkReadable(input, wanted);
  } catch {
    const report = checkReadable(mend(input), wanted);
    return { ...report, verdict: 'broken', findings: [HOSTILE, ...report.findings] };
  }
}

/**
 * Makes a history sendable with the least loss, and reports every change. Never throws.
 * The target is detected if it is left out; see `RepairOptions` for the options and their defaults.
 *
 * @example
 * const { output, report } = repair(request);
 * await client.messages.create(output);
 */
export function repair<T>(input: T, target?: TargetInput, options?: RepairOptions): Repaired<T> {
  const repaired = repairAny(input, { wanted: target, options: options ?? {} });
  const findings = [...targetFindings(target), ...repairOptionFindings(options)];
  return findings.length === 0 ? repaired : { ...repaired, report: withFindings(repaired.report, findings) };
}

function repairAny<T>(input: T, { wanted, options }: Asked): Repaired<T> {
  try {
    return repairReadable(input, wanted, options);
  } catch {
    return repairCopy(input, { wanted, options });
  }
}

/** What is wrong with the options comes first: it may explain the rest. */
function withFindings(report: Report, findings: readonly Finding[]): Report {
  return findings.length === 0 ? report : { ...report, findings: [...findings, ...report.findings] };
}

/** Something in the input throws when it is read; an inert copy of it does not. */
function repairCopy<T>(input: T, { wanted, options }: Asked): Repaired<T> {
  const repaired = repairReadable(mend(input) as T, wanted, options);
  const { report } = repaired;
  const verdict = report.verdict === 'clean' ? 'repaired' : report.verdict;
  const findings = [HOSTILE, ...report.findings];
  return {
    ...repaired,
    changed: true,
    report: { ...report, verdict, findings, repairs: [COPIED, ...report.repairs] },
  };
}

function checkReadable(input: unknown, wanted: TargetInput | undefined): Report {
  const resolved = resolveTarget(input, wanted);
  if (resolved === undefined) return unreadableReport(input, wanted);
  const { target, envelope } = resolved;
  const choices = { policy: PRESERVE, evidence: undefined };
  const examined = examine({ target, input: envelope, choices });
  return examinedReport(examined, target, isHealthy(examined.findings) ? 'clean' : 'broken');
}

// What is compiled at the first call of a process is felt: what only a broken history needs stands apart.
function repairReadable<T>(input: T, wanted: TargetInput | undefined, options: RepairOptions): Repaired<T> {
  const resolved = resolveTarget(input, wanted, options.next === 'user' ? 'user' : undefined);
  if (resolved === undefined) return { output: input, changed: false, report: unreadableReport(input, wanted) };
  if (options.refusal !== undefined || options.refusals !== undefined) {
    return repairHeeding(input, resolved, { wanted, options });
  }
  const { target, envelope } = resolved;
  const { evidence, prefixDigests } = options;
  const choices = { policy: resolvePolicy(options.policy), evidence, prefixDigests };
  const examined = examine({ target, input: envelope, choices });
  if (examined.seen.length === 0) {
    return { output: input, changed: false, report: examinedReport(examined, target, 'clean') };
  }
  const { open = 'close' } = options;
  const treatment = { target, input: envelope, choices, open, maxPasses: passesOf(options) };
  return repairExamined(input, examined, treatment);
}

function repairExamined<T>(input: T, examined: Examined, treatment: Treatment): Repaired<T> {
  const { target, input: envelope, choices } = treatment;
  const treated = treat(treatment, examined);
  const outcome = treated.left.some(isRefused) ? fallBack(treated, treatment, cutsFor(target)) : treated;
  const { draft } = outcome;
  const changed = draft.wire !== envelope.list || draft.body !== envelope.body;
  const takesOut = choices.policy.openCall === 'remove';
  const list = changed && takesOut ? pruneRawContent(draft, envelope.list) : draft.wire;
  const output = (draft.body === undefined ? list : withKeys(draft.body, { [target.codec.listKey]: list })) as T;
  return {
    output: changed ? output : input,
    changed,
    report: toReport(outcome, target, verdictOf(outcome, changed)),
    ...(draft.lifted.length === 0 ? {} : { lifted: draft.lifted }),
  };
}

/** As many as were asked for, where that is a number of passes. */
function passesOf({ maxPasses }: RepairOptions): number {
  return typeof maxPasses === 'number' && maxPasses >= 0 ? maxPasses : MAX_PASSES;
}

function cutsFor({ codec, profile }: Target): CutsOf {
  return (list) => cuts(list, { dialect: codec.dialect as Dialect, profile });
}

type Asked = { readonly wanted: TargetInput | undefined; readonly options: RepairOptions };

/** So many answers of a provider are heeded together. */
const MOST_REFUSALS = 100;

function newestOf(refusals: unknown): readonly unknown[] {
  return Array.isArray(refusals) ? refusals.slice(-MOST_REFUSALS) : [];
}

/** Answers the oldest refusal first: each later one is about what those before it had made of the history. */
function repairHeeding<T>(input: T, resolved: Resolved, { wanted, options }: Asked): Repaired<T> {
  const { refusal, refusals, ...rest } = options;
  const earlier = ask(newestOf, refusals) ?? [];
  const [oldest, ...newer] = [...earlier, refusal].filter((each) => each !== undefined).slice(-MOST_REFUSALS);
  if (oldest === undefined) return repairReadable(input, wanted, rest);
  return repairRefused(input, resolved, { wanted, options: { ...rest, refusal: oldest, refusals: newer } });
}

/** Does what a refusal asks for, and repairs the rest under the stricter reading that it calls for. */
function repairRefused<T>(input: T, { target, envelope }: Resolved, { wanted, options }: Asked): Repaired<T> {
  const answer = answerRefusal(options.refusal, target.codec, envelope);
  const { list, body } = answer.envelope;
  const asked = (body === undefined ? list : withKeys(body, { [target.codec.listKey]: list })) as T;
  const choice = typeof wanted === 'string' ? { dialect: wanted } : (wanted ?? {});
  const { refusal: _refusal, ...rest } = options;
  const stricter = {
    ...(answer.ofRequest ? { purpose: 'request' as const } : {}),
    ...choice,
    dialect: choice.dialect ?? (target.codec.dialect as Dialect),
    profile: { ...choice.profile, ...answer.flags },
  };
  const touched = answer.repairs.length > 0;
  const repaired = repairReadable(touched ? asked : input, stricter, rest);
  const report = answer.tell(repaired.report);
  if (!touched) return { ...repaired, report };
  const verdict = report.verdict === 'clean' ? 'repaired' : report.verdict;
  return { ...repaired, changed: true, report: { ...report, verdict } };
}

function verdictOf(outcome: Outcome & { readonly fell?: Verdict }, changed: boolean): Verdict {
  if (outcome.fell !== undefined) return outcome.fell;
  if (outcome.left.some(({ rule }) => rule.severity !== 'wasteful')) return 'broken';
  if (outcome.waiting) return 'waiting';
  return changed ? 'repaired' : 'clean';
}

function examinedReport({ draft, findings, characters }: Examined, target: Target, verdict: Verdict): Report {
  return toReport({ draft, findings, repairs: [], passes: draft.walks, characters }, target, verdict);
}

function toReport(outcome: Omit<Outcome, 'left' | 'waiting'>, target: Target, verdict: Verdict): Report {
  const { findings, repairs, passes, characters } = outcome;
  const dialect = target.codec.dialect;
  return makeReport({ verdict, dialect, findings, repairs, passes, characters, lost: outcome.draft.lost });
}

/** An empty list is a healthy history in every dialect; anything else we cannot name is a finding. */
function unreadableReport(input: unknown, wanted: TargetInput | undefined): Report {
  const asked: unknown = typeof wanted === 'string' ? wanted : wanted?.dialect;
  const misnamed = asked !== undefined && !isDialect(asked);
  const healthy = !misnamed && Array.isArray(input) && input.length === 0;
  const explain = misnamed
    ? noDialect(asked)
    : 'this is not a list of messages, or a request with one, in any dialect known here';
  const finding = { rule: 'dialect-unknown', severity: 'rejected', at: WHOLE, explain } as const;
  return makeReport({
    verdict: healthy ? 'clean' : 'broken',
    findings: healthy ? [] : [finding],
    repairs: [],
    passes: 0,
    characters: 0,
    lost: 0,
  });
}

function noDialect(asked: unknown): string {
  const name = JSON.stringify(typeof asked === 'string' ? asked : typeof asked);
  return `no dialect is called ${name}; there are ${Object.keys(CODECS).join(', ')}`;
}
