import { CODECS, type Dialect } from './dialects/dialects.ts';
import { contractOf } from './contracts.ts';
import { DOCTOR_RULES } from './rules/engine-rules.ts';
import type { Loss, Severity } from './model/finding.ts';
import type { Example, Layer, Rule } from './model/rule.ts';

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
  readonly examples: readonly Example[];
};

const DIALECTS = Object.keys(CODECS) as Dialect[];
let documents: ReadonlyMap<string, RuleDoc> | undefined;

/** Every rule, in the order of the contracts. */
export function rules(): readonly RuleDoc[] {
  return [...allDocuments().values()];
}

/** One rule by its id; undefined when there is none. */
export function explain(ruleId: string): RuleDoc | undefined {
  return allDocuments().get(ruleId);
}

function allDocuments(): ReadonlyMap<string, RuleDoc> {
  if (documents === undefined) {
    const made = new Map<string, RuleDoc>();
    for (const dialect of DIALECTS) {
      for (const rule of contractOf(dialect).rules) if (!made.has(rule.id)) made.set(rule.id, documentOf(rule));
    }
    for (const rule of DOCTOR_RULES) {
      made.set(rule.id, { ...rule, dialects: DIALECTS, evidence: [], examples: rule.examples() });
    }
    documents = made;
  }
  return documents;
}

function documentOf(rule: Rule): RuleDoc {
  const { id, title, layer, severity, loss, summary } = rule;
  const dialects = DIALECTS.filter((dialect) => contractOf(dialect).rules.includes(rule));
  const evidence = [...new Set(dialects.flatMap((dialect) => rule.evidence[dialect] ?? []))];
  return { id, title, layer, severity, loss, dialects, evidence, summary, examples: rule.examples() };
}
