import type { Case } from '../model/rule.ts';
import { placeOf } from './place.ts';

/** What the Gemini API answers, where more than one rule gives the same words. */
export const CALL_TURN =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
export const RESPONSE_TURN = 'Please ensure that function response turn comes immediately after a function call turn.';
export const RESPONSE_COUNT: string =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
  'function call turn.';
export const VALID_ROLES = 'Please use a valid role: user, model.';
export const SYSTEM_ROLE: string = `Content with system role is not supported. ${VALID_ROLES}`;

/** The part of a request that a fact is about, as the API names it. */
export function contentPath(found: Case): string {
  const { message, part } = placeOf(found);
  return `* GenerateContentRequest.contents[${String(message)}].parts[${String(part)}]`;
}
