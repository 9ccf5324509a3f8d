import { type Profile, UNRESTRICTED } from '../../model/profile.ts';

/** The API is the same for all of its models. */
const STRICT: Profile = {
  ...UNRESTRICTED,
  step: 'turn',
  pairs: 'anywhere',
  idMax: 64,
};

export function profile(): Profile {
  return STRICT;
}
