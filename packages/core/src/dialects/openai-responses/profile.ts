import { type ModelRow, type Profile, profileOfModel, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  step: 'turn',
  pairs: 'anywhere',
  idMax: 64,
};

/** Where a model differs from the strict reading; the first row that fits its name counts. */
const MODELS: readonly ModelRow[] = [
  // Open models give their reasoning as text and take it back so.
  [/(^|[^a-z0-9])gpt-oss/i, { ...STRICT, reasoningText: true }],
  // The vendor's own models take outputs that name no call; hosts of other models refuse them.
  [/(^|[^a-z0-9])(gpt-|o\d|chatgpt|codex|computer-use)/i, { ...STRICT, namelessResults: true }],
];

export function profile(model: string | undefined): Profile {
  return profileOfModel(STRICT, MODELS, model);
}
