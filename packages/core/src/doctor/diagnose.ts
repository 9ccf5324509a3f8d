import type { FactRecord } from '../model/fact.ts';
import type { Finding } from '../model/finding.ts';
import type { Rule } from '../model/rule.ts';
import { DraftCase, type Choices } from './case.ts';
import type { Draft } from './draft.ts';
import { locate } from './locate.ts';
import type { Envelope, Target } from './target.ts';

/** A rule woken by a fact, in the order of the contract. */
export type Woken = { readonly rule: Rule; readonly found: DraftCase };

/** Facts wake rules: which rules of the contract answer to what a walk has seen. */
export function wake(
  draft: Draft,
  target: Target,
  { facts, choices }: { facts: readonly FactRecord[]; choices: Choices },
): Woken[] {
  const byFact = Map.groupBy(facts, (record) => record.fact);
  const woken: Woken[] = [];
  for (const rule of target.rules.ordered) {
    const noticed = byFact.get(rule.trigger);
    if (noticed === undefined) continue;
    for (const fact of noticed) {
      const found = new DraftCase(draft, target, { fact, choices });
      if (rule.detect?.(found) ?? true) woken.push({ rule, found });
    }
  }
  return woken;
}

/** A located breach, in the coordinates of the input. */
export function toFinding({ rule, found }: Woken, draft: Draft, at: { target: Target; input: Envelope }): Finding {
  const { id, severity } = rule;
  const place = locate(found.fact, draft, at);
  const explain = rule.explain(found);
  const providerError = rule.providerError?.[found.profile.speaker ?? at.target.codec.dialect]?.(found);
  return providerError === undefined
    ? { rule: id, severity, at: place, explain }
    : { rule: id, severity, at: place, explain, providerError };
}

/** Orders findings as a person reads the history. */
export function inReadingOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.at.message - b.at.message || (a.at.part ?? -1) - (b.at.part ?? -1));
}
