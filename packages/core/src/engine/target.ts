import type { Codec, RequestFacts } from '../model/codec.ts';
import type { Fact } from '../model/fact.ts';
import type { Profile } from '../model/profile.ts';
import type { Contract, Rule } from '../model/rule.ts';

export type Purpose = 'history' | 'request';

/** A dialect, the profile of a model, and the rules that hold there. */
export type Target = {
  readonly codec: Codec;
  readonly profile: Profile;
  readonly purpose: Purpose;
  readonly rules: RulesOf;
  /** A user message will follow. */
  readonly next: 'user' | undefined;
};

/** A rule, and its place in the order of its contract. */
export type RankedRule = { readonly rule: Rule; readonly rank: number };

/** The rules that answer to a fact; looked up when a fact is first seen, because a clean history has none. */
export type RulesOf = (fact: Fact) => readonly RankedRule[];

/** A list of messages, alone or inside a request. */
export type Envelope = {
  readonly list: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** The rules of a contract that hold for a profile, each as severe as it is in that dialect. */
export function rulesOf({ dialect, rules }: Contract, profile: Profile): RulesOf {
  const known = new Map<Fact, readonly RankedRule[]>();
  return (fact) => {
    let woken = known.get(fact);
    if (woken === undefined) {
      woken = rankedBy(fact, rules)
        .filter(({ rule }) => rule.applies?.(profile) ?? true)
        .map((ranked) => {
          const severity = ranked.rule.severityIn?.[dialect];
          return severity === undefined ? ranked : { ...ranked, rule: { ...ranked.rule, severity } };
        });
      known.set(fact, woken);
    }
    return woken;
  };
}

/** The rules of an ordered list that a fact wakes. */
export function rankedBy(fact: Fact, ordered: readonly Rule[]): readonly RankedRule[] {
  return ordered.flatMap((rule, rank) => (rule.trigger === fact ? [{ rule, rank }] : []));
}

/** What the request around a list declares; undefined for a history. */
export function requestFacts(target: Target, body: Envelope['body']): RequestFacts | undefined {
  return target.purpose === 'request' && body !== undefined ? target.codec.request(body) : undefined;
}
