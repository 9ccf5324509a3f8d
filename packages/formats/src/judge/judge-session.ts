import {
  check,
  estimateTokens,
  repair,
  shouldCompact,
  turns,
  type Dialect,
  type Finding,
  type Preserved,
  type Repair,
  type RepairOptions,
  type TargetInput,
} from '@rethread/core';

import type { Fault, FaultKind } from '../fault.ts';
import { charactersOf, optional } from '../json.ts';
import type { Place } from '../place.ts';
import type { Active, ToolSession } from '../session.ts';
import { dangerOf, type Danger } from './dangers.ts';
import { survivalOf, type Survival } from './survival.ts';

/** What can be said of a session as a whole. */
export type SessionVerdict = 'endangered' | 'hidden' | 'torn' | 'refused' | 'heavy' | 'running' | 'healthy';

/** Every verdict, the worst first. */
export const SESSION_VERDICTS: readonly SessionVerdict[] = [
  'endangered',
  'hidden',
  'torn',
  'refused',
  'heavy',
  'running',
  'healthy',
];

/** One thing that is wrong with a session: with its files, or with the request that will be made of it. */
export type SessionFinding = {
  /** A kind of fault, a rule of `@rethread/core`, `giant-message` or `window-nearly-full`. */
  readonly rule: string;
  /** The verdict that this leads to; undefined when it leads to none by itself. */
  readonly verdict?: SessionVerdict;
  readonly severity: Finding['severity'];
  /** Where it stands in the tool's files. */
  readonly places: readonly Place[];
  readonly note: string;
  /** What the provider would answer. */
  readonly expectedError?: string;
  /** Whether the tool mends it when it loads the session. */
  readonly copes?: boolean;
  /** How many more there are of this kind, once there are too many to list. */
  readonly more?: number;
};

/** What a repair of the next request would do, and what that costs. */
export type PlannedRepair = {
  readonly repairs: readonly (Repair & { readonly places: readonly Place[] })[];
  readonly preserved: Preserved;
  /** Whether the provider takes what comes out of it. */
  readonly isSendable: boolean;
};

/** All that can be said of a session without changing it. It is plain data. */
export type Judgement = {
  /** The worst of all that hold. */
  readonly verdict: SessionVerdict;
  /** Every verdict that holds, the worst first. */
  readonly verdicts: readonly SessionVerdict[];
  readonly dialect: Dialect;
  readonly model?: string;
  /** Messages and turns of the next request, and an estimate of its tokens. */
  readonly messages: number;
  readonly turns: number;
  readonly tokens: number;
  readonly survival: Survival;
  /** The worst first. */
  readonly findings: readonly SessionFinding[];
  /** What the tool does to the session on opening it. */
  readonly danger?: Danger;
  /** What to repair; undefined when the next request can be sent, or the tool mends all that is wrong with it. */
  readonly repair?: PlannedRepair;
};

export type JudgeOptions = {
  /** The model to judge for (default: the model that the session names, or else the strictest one). */
  readonly model?: string;
  readonly policy?: RepairOptions['policy'];
  /** The time now, and when the session was written to last, in milliseconds since 1970. */
  readonly now?: number;
  readonly modified?: number;
  /** Whether a program has the session open. */
  readonly isOpen?: boolean;
};

/** A session that was written to so lately may be at work. */
export const RUNNING_MS: number = 3 * 60_000;

/** So much of the window may be used before the session is heavy. */
const WINDOW_SHARE = 0.9;

/** About 100,000 tokens in one message. */
const GIANT_CHARACTERS = 400_000;

/** What faults of the files lead to. Those that are not here lead to nothing by themselves. */
const OF_FAULTS: Readonly<Partial<Record<FaultKind, SessionVerdict>>> = {
  'stale-index': 'hidden',
  'out-of-order': 'hidden',
  'lost-parent': 'hidden',
  'missing-head': 'hidden',
  torn: 'torn',
  'not-json': 'torn',
  nul: 'torn',
  glued: 'torn',
  'bad-utf8': 'torn',
  'too-deep': 'torn',
  'too-long': 'torn',
  'bad-record': 'torn',
  'missing-file': 'torn',
  unreadable: 'torn',
  'reader-failed': 'torn',
};

const WASTEFUL: ReadonlySet<FaultKind> = new Set(['crlf', 'unknown-record', 'bom']);

/**
 * Judges a session by what will happen to it next: what its tool does on opening it, what the next request contains,
 * and what the provider answers. Nothing is changed.
 */
export async function judgeSession(session: ToolSession, options: JudgeOptions = {}): Promise<Judgement> {
  const active = await session.active();
  // The walk to the active messages may find faults of its own.
  const { faults, tool } = session;
  const model = options.model ?? active.model;
  const target = { dialect: active.dialect, ...optional('model', model) };
  // A parent that is not in the file hides nothing when nothing stands before it.
  const hides = active.absent.some(({ reason }) => reason === 'lost-parent');
  const harmful = faults.filter(({ kind }) => hides || kind !== 'lost-parent');
  const danger = dangerOf({ ...optional('tool', tool), faults: harmful });
  const found = check(active.messages, target).findings.map((finding) => ofFinding(finding, active));
  const findings = [
    ...faults.map((fault) => ofFault(fault, harmful.includes(fault))),
    ...found,
    ...ofWeight(active, target),
  ].sort(worstFirst);
  const verdicts = verdictsOf(findings, danger, options);
  const isRefused = found.some(({ verdict }) => verdict === 'refused');
  return {
    verdict: verdicts[0] ?? 'healthy',
    verdicts,
    dialect: active.dialect,
    ...optional('model', model),
    messages: active.messages.length,
    turns: turns(active.messages, target).filter(({ kind }) => kind === 'user').length,
    tokens: estimateTokens(active.messages, target),
    survival: survivalOf(active, faults),
    findings,
    ...optional('danger', danger),
    ...optional('repair', isRefused ? planRepair(active, target, options) : undefined),
  };
}

function verdictsOf(
  findings: readonly SessionFinding[],
  danger: Danger | undefined,
  options: JudgeOptions,
): readonly SessionVerdict[] {
  const held = new Set(findings.flatMap(({ verdict }) => verdict ?? []));
  if (danger !== undefined) held.add('endangered');
  const { now, modified, isOpen = false } = options;
  const age = now === undefined || modified === undefined ? Infinity : now - modified;
  if (isOpen || age < RUNNING_MS) held.add('running');
  if (held.size === 0) held.add('healthy');
  return SESSION_VERDICTS.filter((verdict) => held.has(verdict));
}

const rank = ({ verdict, severity }: SessionFinding): number =>
  (verdict === undefined ? SESSION_VERDICTS.length : SESSION_VERDICTS.indexOf(verdict)) * 3 +
  ['rejected', 'degraded', 'wasteful'].indexOf(severity);

const worstFirst = (one: SessionFinding, two: SessionFinding): number => rank(one) - rank(two);

function ofFault({ kind, place, note, more }: Fault, isHarmful: boolean): SessionFinding {
  const verdict = isHarmful ? OF_FAULTS[kind] : undefined;
  const severity = verdict !== undefined ? 'rejected' : WASTEFUL.has(kind) ? 'wasteful' : 'degraded';
  return { rule: kind, ...optional('verdict', verdict), severity, places: [place], note, ...optional('more', more) };
}

function ofFinding({ rule, severity, at, explain, providerError }: Finding, active: Active): SessionFinding {
  const copes: boolean = active.copes.includes(rule);
  const worst: SessionVerdict = rule === 'prompt-too-long' ? 'heavy' : 'refused';
  const verdict = severity !== 'rejected' || copes ? undefined : worst;
  return {
    rule,
    ...optional('verdict', verdict),
    severity,
    places: active.places[at.message] ?? [],
    note: explain,
    ...optional('expectedError', providerError),
    ...(copes ? { copes } : {}),
  };
}

/** What is not refused yet, and soon will be. */
function ofWeight({ messages, places }: Active, target: TargetInput): SessionFinding[] {
  const findings: SessionFinding[] = [];
  if (shouldCompact(messages, { target, trigger: { fraction: WINDOW_SHARE } })) {
    const note = `The next request fills more than ${WINDOW_SHARE * 100} % of the model's context window.`;
    findings.push({ rule: 'window-nearly-full', verdict: 'heavy', severity: 'degraded', places: [], note });
  }
  for (const [index, message] of messages.entries()) {
    const characters = charactersOf(message);
    if (characters <= GIANT_CHARACTERS) continue;
    const note = `This message has ${characters.toLocaleString('en-US')} characters. Every request sends it again.`;
    const at = { places: places[index] ?? [], note };
    findings.push({ rule: 'giant-message', verdict: 'heavy', severity: 'degraded', ...at });
  }
  return findings;
}

function planRepair({ messages, places }: Active, target: TargetInput, { policy }: JudgeOptions): PlannedRepair {
  const { output, report } = repair(messages, target, optional('policy', policy));
  return {
    repairs: report.repairs.map((each) => ({ ...each, places: places[each.at.message] ?? [] })),
    preserved: report.preserved,
    isSendable: check(output, target).verdict === 'clean',
  };
}
