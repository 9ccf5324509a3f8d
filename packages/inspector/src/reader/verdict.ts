import { check, estimateTokens, type Finding, type Report } from '@rethread/core';
import type { Active, Fault } from '@rethread/formats';

import type { Verdict } from '../api.ts';

/** What a session's next request is worth. */
export type Judged = {
  readonly verdict: Verdict;
  readonly report: Report;
  readonly survival: number | undefined;
  readonly tokens: number;
  readonly sentCharacters: number;
};

/** Faults that mean that bytes of the session are lost, or lie where its tool does not find them. */
const TORN: ReadonlySet<string> = new Set([
  'nul',
  'glued',
  'torn',
  'not-json',
  'bad-utf8',
  'unreadable',
  'missing-head',
]);

/** Reasons that no one chose: the tool cannot find these messages any more. */
const LOST: ReadonlySet<string> = new Set(['lost-parent', 'torn']);

/** Nearly everything that tools send today has a window of this size. */
const HEAVY_TOKENS = 180_000;

/** A file that was written to in the last minute belongs to a session that runs. */
const RUNNING_MS = 60_000;

type Read = { readonly active: Active; readonly faults: readonly Fault[]; readonly modified: number };

/** Judges what a tool would send next. */
export function judge({ active, faults, modified }: Read): Judged {
  const report = check(active.messages, {
    dialect: active.dialect,
    ...(active.model === undefined ? {} : { model: active.model }),
  });
  const tokens = estimateTokens(active.messages, active.dialect);
  const sentCharacters = active.messages.reduce<number>((sum, message) => sum + charactersOf(message), 0);
  const absent = active.absent.reduce((sum, { characters }) => sum + characters, 0);
  const all = sentCharacters + absent;
  const survival = all === 0 ? undefined : sentCharacters / all;
  const isLost = active.absent.some(({ reason, characters }) => LOST.has(reason) && characters > 0);
  const verdict = ((): Verdict => {
    if (isLost) return 'hidden';
    if (faults.some(({ kind }) => TORN.has(kind))) return 'torn';
    if (report.findings.some((finding) => isRefused(finding, active))) return 'refused';
    if (tokens > HEAVY_TOKENS) return 'heavy';
    return Date.now() - modified < RUNNING_MS ? 'running' : 'healthy';
  })();
  return { verdict, report, survival, tokens, sentCharacters };
}

/** Whether a provider refuses the next request for it, although the tool mends what it knows of. */
export const isRefused = ({ rule, severity }: Finding, { copes }: Pick<Active, 'copes'>): boolean =>
  severity === 'rejected' && !copes.includes(rule);

/** Characters of text in a value. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const held: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return held.reduce<number>((sum, each) => sum + charactersOf(each), 0);
}
