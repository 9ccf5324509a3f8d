import { ANY_ID, PLAIN_ID } from '../../model/call-id.ts';
import { type ModelRow, type Profile, profileOfModel, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  prefill: 'refused',
  systemLater: false,
  oneSystem: true,
  systemEnd: false,
  idPattern: PLAIN_ID,
  idMax: 40,
};

/** Read by a converter that knows the list of calls alone, and takes the system wherever it speaks. */
const LENIENT: Profile = {
  ...STRICT,
  idPattern: ANY_ID,
  blankText: true,
  prefill: 'allowed',
  systemLater: true,
  oneSystem: false,
  systemEnd: true,
};

/** The framework hands ids, blank texts and a last answer on as they are, so these depend on the model behind it. */
const MODELS: readonly ModelRow[] = [
  [/(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i, LENIENT],
  [/claude/i, { ...STRICT, idMax: Number.POSITIVE_INFINITY, callsInContent: true }],
];

export function profile(model: string | undefined): Profile {
  return profileOfModel(STRICT, MODELS, model);
}
