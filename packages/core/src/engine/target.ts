import type { Codec, RequestFacts } from '../model/codec.ts';
import type { Fact } from '../model/fact.ts';
import type { Profile } from '../model/profile.ts';
import type { Case, Contract, Rule } from '../model/rule.ts';

export type Purpose = 'history' | 'request';

/** A dialect, the profile of a model, and the rules that hold there. */
export type Target = {
  readonly codec: Codec;
  readonly profile: Profile;
  readonly purpose: Purpose;
  readonly rules: ActiveRules;
  /** A user message will follow. */
  readonly next: 'user' | undefined;
};

/** The rules of a contract that hold for a profile, and the facts that wake them. A clean history asks for neither. */
export type ActiveRules = {
  readonly ordered: readonly Rule[];
  /** The rules that a fact wakes, with their place in that order. */
  readonly wanted: ReadonlyMap<Fact, readonly Ranked[]>;
  /** True where a fact wakes some rule, without putting all of them in order. */
  hears(fact: Fact): boolean;
};

/** A rule at its place in a contract. */
export type Ranked = { readonly rule: Rule; readonly rank: number; voice: Voice | undefined };

/**
 * What a rule says when it wakes, read once. Rules have many shapes, and after each collection of garbage V8 has to
 * look up every key of every shape again.
 */
export type Voice = Pick<Rule, 'id' | 'severity' | 'explain'> & {
  readonly detect: ((found: Case) => boolean) | undefined;
  readonly providerError: ((found: Case) => string | undefined) | undefined;
};

/** A list of messages, alone or inside a request. */
export type Envelope = {
  readonly list: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** Read when first asked for: a clean history asks for little of it. */
export function activeRules(contract: Contract, profile: Profile): ActiveRules {
  let ordered: readonly Rule[] | undefined;
  let wanted: ActiveRules['wanted'] | undefined;
  const heard = new Map<Fact, boolean>();
  return {
    get ordered() {
      ordered ??= contract.rules
        .filter((rule) => rule.applies?.(profile) ?? true)
        .map((rule) => withSeverity(rule, rule.severityIn?.[contract.dialect]));
      return ordered;
    },
    get wanted() {
      wanted ??= wokenBy(this.ordered);
      return wanted;
    },
    hears(fact) {
      let some = heard.get(fact);
      if (some === undefined) {
        some = contract.rules.some((rule) => rule.trigger === fact && (rule.applies?.(profile) ?? true));
        heard.set(fact, some);
      }
      return some;
    },
  };
}

/** Which rules of an ordered list a fact wakes. */
export function wokenBy(ordered: readonly Rule[]): ActiveRules['wanted'] {
  const ranked = ordered.map((rule, rank) => ({ rule, rank, voice: undefined }));
  return Map.groupBy(ranked, ({ rule }) => rule.trigger);
}

/** Lets a rule speak to this target. */
export function voiceOf({ rule }: Ranked, { profile, codec }: Target): Voice {
  const { id, severity, detect, explain, providerError } = rule;
  return { id, severity, detect, explain, providerError: providerError?.[profile.speaker ?? codec.dialect] };
}

/** The same rule where nothing else is known of how bad its breach is. */
function withSeverity(rule: Rule, severity: Rule['severity'] | undefined): Rule {
  // A copy would read all that the rule can do and say, which in Node is not loaded before it is needed.
  return severity === undefined ? rule : (Object.create(rule, { severity: { value: severity } }) as Rule);
}

/** What the request around a list declares; undefined for a history. */
export function requestFacts(target: Target, body: Envelope['body']): RequestFacts | undefined {
  return target.purpose === 'request' && body !== undefined ? target.codec.request(body) : undefined;
}
