import { type Profile, profileOfModel, UNRESTRICTED } from '../../model/profile.ts';
import { chatModels } from './models.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  callsLast: true,
  idMax: 40,
  maxTools: 128,
};

const MODELS = chatModels(STRICT);

export function profile(model: string | undefined): Profile {
  return profileOfModel(STRICT, MODELS, model);
}
