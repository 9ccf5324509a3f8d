/** The rows of CONTRACTS.md section 2 that can be seen; strict JSON is a row of section 1 but binds every provider. */
export const CHAT_CHECKS = [
  'shape',
  'an-json-utf16',
  'oc-nonempty',
  'oc-answered',
  'oc-tool-orphan',
  'oc-tool-id',
  'oc-id-dup',
  'oc-calls-nonempty',
  'oc-id-40',
  'oc-args-string',
  'oc-call-type',
  'oc-content-null',
  'oc-parts-min',
  'oc-role-enum',
  'oc-name',
  'oc-reasoning-tools',
  // Section 7: what those ask who serve other models in this dialect.
  'gq-strict',
  'xa-content',
  'ms-empty',
  'ds-reason-back',
  'ds-reason-forbid',
  'ds-alternate',
  'tpl-alternate',
  'tpl-system',
  'tpl-system-none',
  'tpl-args-object',
  'lc-two-assistants',
] as const;

export type ChatRow = (typeof CHAT_CHECKS)[number];

const RULES: ReadonlySet<string> = new Set(['oc-answered', 'oc-tool-orphan', 'oc-tool-id', 'oc-id-dup']);

/** When the provider would find this out, as it answers with what it finds first: JSON, form, pairs, the model. */
export function chatStage({ row }: { readonly row: string }): number {
  if (row === 'an-json-utf16') return 0;
  if (row === 'oc-reasoning-tools') return 3;
  return RULES.has(row) ? 2 : 1;
}
