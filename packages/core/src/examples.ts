import type { Example } from './model/rule.ts';
import { EXAMPLES } from './rules/examples.ts';

export type { Example };

/**
 * Histories before and after the repair by one rule, and histories that it leaves alone. They stand apart from the main
 * entry, so that a program that repairs does not load them.
 *
 * @example
 * for (const example of examplesOf('call-without-result')) console.log(example.name);
 */
export function examplesOf(ruleId: string): readonly Example[] {
  return Object.hasOwn(EXAMPLES, ruleId) ? (EXAMPLES[ruleId] ?? []) : [];
}
