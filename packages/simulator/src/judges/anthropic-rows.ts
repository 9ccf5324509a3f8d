/** The rows of CONTRACTS.md section 1 that can be seen in a history, in a request or by the seals in it. */
export const ANTHROPIC_CHECKS = [
  'shape',
  'an-messages-nonempty',
  'an-first-user',
  'an-role-enum',
  'an-prefill',
  'an-prefill-tools',
  'an-prefill-thinking',
  'an-prefill-ws',
  'an-pause-resume',
  'an-system-first',
  'an-system-model',
  'an-system-before',
  'an-system-after',
  'an-system-empty',
  'an-extra-keys',
  'an-content-nonempty',
  'an-text-nonempty',
  'an-text-nonblank',
  'an-cache-empty',
  'an-cache-max4',
  'an-block-role',
  'an-json-utf16',
  'an-images',
  'an-size',
  'an-count',
  'an-context',
  'an-tooluse-answered',
  'an-result-first',
  'an-tooluse-suffix',
  'an-result-orphan',
  'an-result-dup',
  'an-id-unique',
  'an-id-regex',
  'an-input-object',
  'an-name-len',
  'an-result-id',
  'an-result-content',
  'an-toolset-echo',
  'an-tools-defined',
  'an-server-pair',
  'an-server-orphan',
  'an-mixed-open',
  'an-server-id',
  'an-server-declared',
  'an-encrypted',
  'an-toolref',
  'an-sig-valid',
  'an-sig-empty',
  'an-think-first',
  'an-think-not-last',
  'an-think-first-block',
  'an-think-latest',
  'an-think-adjacent',
  'an-think-prefix',
  'an-think-chain',
] as const;

export type AnthropicRow = (typeof ANTHROPIC_CHECKS)[number];

const MISSHAPEN = / (?:Field required|Extra inputs are not permitted|(?:Input|String|List) should )/;
const FOUND_LAST: ReadonlySet<string> = new Set([
  'an-context',
  'an-sig-valid',
  'an-think-latest',
  'an-think-adjacent',
  'an-think-prefix',
  'an-think-chain',
]);

/** When the provider would find this out, as it answers with what it finds first: length, form, rules, seals. */
export function anthropicStage({ row, text }: { readonly row: string; readonly text: string }): number {
  if (row === 'an-size') return 0;
  if (row === 'an-json-utf16') return 1;
  if (row === 'shape' || MISSHAPEN.test(text)) return 2;
  return FOUND_LAST.has(row) ? 4 : 3;
}
