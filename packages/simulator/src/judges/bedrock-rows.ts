/** The rows of CONTRACTS.md section 5 that can be seen; strict JSON is a row of section 1 but binds every provider. */
export const BEDROCK_CHECKS = [
  'shape',
  'an-json-utf16',
  'br-first-user',
  'br-alternate',
  'br-answered',
  'br-excess',
  'br-dup',
  'br-toolconfig',
  'br-text-blank',
  'br-content-empty',
  'br-input-object',
  'br-error-content',
  'br-mixed',
  'br-status',
  'br-id',
  'br-passthrough',
  'br-last',
] as const;

export type BedrockRow = (typeof BEDROCK_CHECKS)[number];

const FORM: ReadonlySet<string> = new Set(['shape', 'br-content-empty', 'br-text-blank', 'br-input-object', 'br-id']);

/** When the service would find this out: JSON, the form of its fields, the conversation, and then the model itself. */
export function bedrockStage({ row }: { readonly row: string }): number {
  if (row === 'an-json-utf16') return 0;
  if (row === 'br-passthrough' || row === 'br-last') return 3;
  return FORM.has(row) ? 1 : 2;
}
