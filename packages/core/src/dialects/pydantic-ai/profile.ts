import { type Profile, UNRESTRICTED } from '../../model/profile.ts';

/** The framework sits between the history and every model, so nothing here depends on the model. */
const STRICT: Profile = {
  ...UNRESTRICTED,
  step: 'turn',
  carrier: 'user',
  serverPairs: 'message',
  prefill: 'refused',
  nullContent: true,
};

export function profile(): Profile {
  return STRICT;
}
