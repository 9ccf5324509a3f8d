import { type ModelRow, type Profile, profileOfModel, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  step: 'turn',
  carrier: 'user',
  countedResults: true,
  sharedIds: true,
  resultIds: true,
  callSeals: true,
  prefill: 'refused',
  systemLater: false,
};

/** Where a model differs from the strict reading; the first row that fits its name counts. */
const MODELS: readonly ModelRow[] = [
  // Signatures and ids came with Gemini 3. A name without a number may mean any model.
  [/(^|[^a-z0-9])gemini-[12](?!\d)/i, { ...STRICT, resultIds: false, callSeals: false }],
  [/(^|[^a-z0-9])gemini-3-pro-image/i, { ...STRICT, callSeals: false }],
];

export function profile(model: string | undefined): Profile {
  return profileOfModel(STRICT, MODELS, model);
}
