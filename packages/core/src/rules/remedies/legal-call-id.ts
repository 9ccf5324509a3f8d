import { isLegalId, legalId } from '../../model/call-id.ts';
import type { CallPart, ResultPart } from '../../model/part.ts';
import type { Profile } from '../../model/profile.ts';

/** The id a call, or a result of it, is sent with: its own where the provider takes it, else one made from it alone. */
export function sentId(part: CallPart | ResultPart, profile: Profile): string {
  const { callId, at, tool = 'lost' } = part;
  if (isLegalId(callId, profile)) return callId;
  // A call that lost its id is named by its place in the input, which stays the same; by its tool, where it had none.
  const place = at === undefined ? tool : `${String(at.message)}.${String(at.part)}`;
  return legalId(callId === '' ? `call ${place}` : callId, profile.idMax);
}
