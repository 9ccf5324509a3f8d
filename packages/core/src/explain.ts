import { CODECS } from './dialects/dialects.ts';
import { type Dialect } from './model/dialect.ts';
import type { Loss, Severity } from './model/finding.ts';
import type { Layer, Rule } from './model/rule.ts';
import { ENGINE_RULES } from './rules/engine-rules.ts';
import { ORDER } from './rules/order.ts';

/** What a person needs to know about a rule. */
export type RuleDoc = {
  readonly id: string;
  readonly title: string;
  readonly layer: Layer;
  readonly severity: Severity;
  readonly loss: Loss;
  readonly dialects: readonly Dialect[];
  /** Rows of the contract page the rule rests on. */
  readonly evidence: readonly string[];
  readonly summary: string;
};

const DIALECTS = Object.keys(CODECS) as Dialect[];

/**
 * Every rule, in the order in which rules may change a history.
 *
 * @example
 * const ids = rules().map(({ id }) => id);
 */
export function rules(): readonly RuleDoc[] {
  const outside = ENGINE_RULES.map((rule) => ({ ...rule, dialects: DIALECTS, evidence: [] }));
  return [...ORDER.map(documentOf), ...outside];
}

/**
 * One rule by its id; undefined when there is none.
 *
 * @example
 * console.log(explain('call-without-result')?.summary);
 */
export function explain(ruleId: string): RuleDoc | undefined {
  return rules().find(({ id }) => id === ruleId);
}

function documentOf(rule: Rule): RuleDoc {
  const { id, title, layer, severity, loss, summary } = rule;
  const dialects = DIALECTS.filter((dialect) => Object.hasOwn(rule.evidence, dialect));
  const evidence = [...new Set(dialects.flatMap((dialect) => rule.evidence[dialect] ?? []))];
  return { id, title, layer, severity, loss, dialects, evidence, summary };
}
