/** The rows of CONTRACTS.md section 4 that can be seen; strict JSON is a row of section 1 but binds every provider. */
export const GEMINI_CHECKS = [
  'shape',
  'an-json-utf16',
  'ge-nonempty',
  'ge-role',
  'ge-parts',
  'ge-part-data',
  'ge-fc-after',
  'ge-fr-after',
  'ge-fr-count',
  'ge-fr-name',
  'ge-fr-object',
  'ge-fr-id',
  'ge-last-user',
  'ge-sig-missing',
  'ge-sig-valid',
  'ge-sig-place',
] as const;

export type GeminiRow = (typeof GEMINI_CHECKS)[number];

const STAGES: Readonly<Partial<Record<string, number>>> = {
  'an-json-utf16': 0,
  shape: 1,
  'ge-fr-object': 1,
  'ge-nonempty': 2,
  'ge-parts': 2,
  'ge-part-data': 2,
  'ge-fr-name': 2,
  'ge-role': 3,
  'ge-last-user': 5,
  'ge-sig-missing': 6,
  'ge-sig-valid': 6,
  'ge-sig-place': 6,
};
const TURNS = 4;

/**
 * When the API would find this out, as it answers with what it finds first: JSON, the form of its fields, fields that
 * are required, roles, the order of turns, the end, signatures.
 */
export function geminiStage({ row, text }: { readonly row: string; readonly text: string }): number {
  return text.startsWith('Invalid ') ? 1 : (STAGES[row] ?? TURNS);
}
