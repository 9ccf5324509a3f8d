import { isLegalId, legalId } from '../model/call-id.ts';
import type { CallPart, ResultPart } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';

/** The id a call, or a result of it, is sent with: its own where the provider takes it, else one made from it alone. */
export function sentId(part: CallPart | ResultPart, profile: Profile): string {
  const { callId, at } = part;
  if (isLegalId(callId, profile)) return callId;
  // A call that lost its id is named by its place in the input, the only thing about it that stays the same.
  const name = callId === '' ? `call ${String(at?.message)}.${String(at?.part)}` : callId;
  return legalId(name, profile.idMax);
}
