/** The rows of CONTRACTS.md section 6 that can be seen; strict JSON is a row of section 1 but binds every provider. */
export const MISTRAL_CHECKS = [
  'shape',
  'an-json-utf16',
  'mi-nonempty',
  'mi-transitions',
  'mi-count',
  'mi-ids-v13',
  'mi-id9',
  'mi-last',
  'mi-prefix',
  'mi-assistant',
  'mi-name',
  'mi-chunks',
] as const;

export type MistralRow = (typeof MISTRAL_CHECKS)[number];

const ORDER: ReadonlySet<string> = new Set(['mi-nonempty', 'mi-transitions', 'mi-count', 'mi-ids-v13', 'mi-last']);

/** When the API would find this out: JSON, the form of single messages, their order. */
export function mistralStage({ row }: { readonly row: string }): number {
  if (row === 'an-json-utf16') return 0;
  return ORDER.has(row) ? 2 : 1;
}
