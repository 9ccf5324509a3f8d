import type { Dialect } from './model/dialect.ts';
import type { Contract } from './model/rule.ts';
import { PROFILES } from './dialects/profiles.ts';
import { rulesOf } from './rules/order.ts';

/** What the provider or framework behind a dialect enforces. */
export function contractOf(dialect: Dialect): Contract {
  return { dialect, rules: rulesOf(dialect), profile: PROFILES[dialect] };
}
