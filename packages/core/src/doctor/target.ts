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
  readonly rules: ActiveRules;
  /** A user message will follow. */
  readonly next: 'user' | undefined;
};

/** The rules of a contract that hold for a profile, and the facts that wake them. A clean history asks for neither. */
export type ActiveRules = { readonly ordered: readonly Rule[]; readonly wanted: ReadonlySet<Fact> };

/** A list of messages, alone or inside a request. */
export type Envelope = {
  readonly list: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

const compiled = new WeakMap<Contract, WeakMap<Profile, ActiveRules>>();

export function activeRules(contract: Contract, profile: Profile): ActiveRules {
  let byProfile = compiled.get(contract);
  if (byProfile === undefined) {
    byProfile = new WeakMap();
    compiled.set(contract, byProfile);
  }
  let rules = byProfile.get(profile);
  if (rules === undefined) {
    rules = chosenLater(contract, profile);
    byProfile.set(profile, rules);
  }
  return rules;
}

function chosenLater(contract: Contract, profile: Profile): ActiveRules {
  let ordered: readonly Rule[] | undefined;
  let wanted: ReadonlySet<Fact> | undefined;
  return {
    get ordered() {
      ordered ??= contract.rules
        .filter((rule) => rule.applies?.(profile) ?? true)
        .map((rule) => withSeverity(rule, rule.severityIn?.[contract.dialect]));
      return ordered;
    },
    get wanted() {
      wanted ??= new Set(this.ordered.map((rule) => rule.trigger));
      return wanted;
    },
  };
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
