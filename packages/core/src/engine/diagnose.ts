import type { FactRecord } from '../model/fact.ts';
import type { Finding } from '../model/finding.ts';
import type { Rule } from '../model/rule.ts';
import { DraftCase, type Choices } from './case.ts';
import type { Draft } from './draft.ts';
import { locate } from './locate.ts';
import { voiceOf, type Envelope, type Ranked, type Target, type Voice } from './target.ts';

/** A rule woken by a fact, in the order of the contract. */
export type Woken = { readonly rule: Rule; readonly voice: Voice; readonly found: DraftCase };

/** Facts wake rules: which rules of the contract answer to what a walk has seen. */
export function wake(
  draft: Draft,
  target: Target,
  { facts, choices }: { facts: readonly FactRecord[]; choices: Choices },
): Woken[] {
  const byRank: { readonly ranked: Ranked; readonly noticed: FactRecord[] }[] = [];
  const { wanted } = target.rules;
  for (const fact of facts) {
    for (const ranked of wanted.get(fact.fact) ?? [])
      (byRank[ranked.rank] ??= { ranked, noticed: [] }).noticed.push(fact);
  }
  const woken: Woken[] = [];
  byRank.forEach(({ ranked, noticed }) => {
    const voice = (ranked.voice ??= voiceOf(ranked, target));
    for (const fact of noticed) {
      const found = new DraftCase(draft, target, { fact, choices });
      if (voice.detect?.(found) ?? true) woken.push({ rule: ranked.rule, voice, found });
    }
  });
  return woken;
}

/** A located breach, in the coordinates of the input. */
export function toFinding({ voice, found }: Woken, draft: Draft, at: { target: Target; input: Envelope }): Finding {
  const { id, severity } = voice;
  const place = locate(found.fact, draft, at);
  const explain = voice.explain(found);
  const providerError = voice.providerError?.(found);
  return providerError === undefined
    ? { rule: id, severity, at: place, explain }
    : { rule: id, severity, at: place, explain, providerError };
}

/** Orders findings as a person reads the history. */
export function inReadingOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.at.message - b.at.message || (a.at.part ?? -1) - (b.at.part ?? -1));
}
