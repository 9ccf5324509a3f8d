import { ANY_ID, NINE_ID } from '../../model/call-id.ts';
import { type Profile, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  callsLast: true,
  prefill: 'marked',
  reasoningParts: false,
  userAfterTool: false,
  systemEnd: false,
  idPattern: NINE_ID,
  idMax: 9,
};

/** Reasoning is given back to the models that reason. */
const REASONING: Profile = { ...STRICT, reasoningParts: true };

/** From this generation on any id is taken, a user may speak after a tool, and the system may speak last. */
const RELAXED_SINCE = 2603;
const RELAXED: Profile = {
  ...REASONING,
  userAfterTool: true,
  systemEnd: true,
  idPattern: ANY_ID,
  idMax: Number.POSITIVE_INFINITY,
};

export function profile(model: string | undefined): Profile {
  const stamp = /-(\d{4})$/.exec(model ?? '');
  if (stamp !== null && Number(stamp[1]) >= RELAXED_SINCE) return RELAXED;
  return /(^|\/)magistral/i.test(model ?? '') ? REASONING : STRICT;
}
