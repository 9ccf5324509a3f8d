import type { FactRecord } from '../model/fact.ts';
import type { Finding } from '../model/finding.ts';
import type { Rule } from '../model/rule.ts';
import { DraftCase, type Choices } from './case.ts';
import type { Draft } from './draft.ts';
import { locate } from './report.ts';
import type { Envelope, Target } from './target.ts';

/** A rule that a fact has woken. */
export type Woken = { readonly rule: Rule; readonly found: DraftCase };

/** The rules of the contract that answer to what a walk has seen, in the order of the contract. */
export function wake(
  draft: Draft,
  target: Target,
  { facts, choices }: { facts: readonly FactRecord[]; choices: Choices },
): Woken[] {
  const byRank: { readonly rule: Rule; readonly noticed: FactRecord[] }[] = [];
  for (const fact of facts) {
    for (const { rule, rank } of target.rules(fact.fact)) (byRank[rank] ??= { rule, noticed: [] }).noticed.push(fact);
  }
  const woken: Woken[] = [];
  byRank.forEach(({ rule, noticed }) => {
    for (const fact of noticed) {
      const found = new DraftCase(draft, target, { fact, choices });
      if (rule.detect?.(found) ?? true) woken.push({ rule, found });
    }
  });
  return woken;
}

/** A located breach, in the coordinates of the input. */
export function toFinding({ rule, found }: Woken, draft: Draft, at: { target: Target; input: Envelope }): Finding {
  const { id, severity } = rule;
  const { profile, codec } = at.target;
  const place = locate(found.fact, draft, at);
  const explain = rule.explain(found);
  const providerError = rule.providerError?.[profile.speaker ?? codec.dialect]?.(found);
  return providerError === undefined
    ? { rule: id, severity, at: place, explain }
    : { rule: id, severity, at: place, explain, providerError };
}

/** Orders findings as a person reads the history. */
export function inReadingOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.at.message - b.at.message || (a.at.part ?? -1) - (b.at.part ?? -1));
}
