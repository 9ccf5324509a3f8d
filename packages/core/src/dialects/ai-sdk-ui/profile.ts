import { ANY_ID, PLAIN_ID } from '../../model/call-id.ts';
import { type ModelRow, type Profile, profileOfModel, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  carrier: 'call',
  // Nothing that the user says leaves a call waiting.
  resultsFirst: true,
  prefill: 'refused',
  pausedTurn: true,
  systemLater: false,
  idPattern: PLAIN_ID,
  idMax: 40,
};

/** The SDK hands ids, blank texts and a last answer on as they are, so these depend on the model behind it. */
const MODELS: readonly ModelRow[] = [
  [/(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i, { ...STRICT, idPattern: ANY_ID, blankText: true, prefill: 'allowed' }],
  [/claude/i, { ...STRICT, idMax: Number.POSITIVE_INFINITY }],
];

export function profile(model: string | undefined): Profile {
  return profileOfModel(STRICT, MODELS, model);
}
