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
  readonly rules: RulesByFact;
  /** A user message will follow. */
  readonly next: 'user' | undefined;
};

/** A rule, and its place in the order of its contract. */
export type RankedRule = { readonly rule: Rule; readonly rank: number };

/** The rules that each fact wakes. */
export type RulesByFact = ReadonlyMap<Fact, readonly RankedRule[]>;

/** A list of messages, alone or inside a request. */
export type Envelope = {
  readonly list: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** The rules of a contract that hold for a profile, in order, each as severe as it is in that dialect. */
export function activeRules({ dialect, rules }: Contract, profile: Profile): readonly Rule[] {
  return rules
    .filter(({ applies }) => applies?.(profile) ?? true)
    .map((rule) => {
      const severity = rule.severityIn?.[dialect];
      return severity === undefined ? rule : { ...rule, severity };
    });
}

export function rulesByFact(ordered: readonly Rule[]): RulesByFact {
  const ranked = ordered.map((rule, rank) => ({ rule, rank }));
  return Map.groupBy(ranked, ({ rule }) => rule.trigger);
}

/** What the request around a list declares; undefined for a history. */
export function requestFacts(target: Target, body: Envelope['body']): RequestFacts | undefined {
  return target.purpose === 'request' && body !== undefined ? target.codec.request(body) : undefined;
}
