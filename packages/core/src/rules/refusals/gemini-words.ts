import type { Case } from '../../model/rule.ts';
import { isRecord } from '../../model/value.ts';
import { holdsData, unknownKeys } from '../remedies/gemini-parts.ts';
import { partOf, placeOf, wireOf } from '../remedies/place.ts';

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

/** What the API says of a part that holds no data but is in the form of another format; undefined for any other. */
export function foreignPart(found: Case): string | undefined {
  return holdsData(wireOf(partOf(found))) ? undefined : unknownNames(found);
}

/** What the API says of the keys of a part that it does not know; undefined where there are none. */
export function unknownNames(found: Case): string | undefined {
  const { message, part } = placeOf(found);
  const keys = unknownKeys(wireOf(partOf(found)));
  // One part may stand for the list, and then has no place in one.
  const alone = isRecord(wireOf(found.message(message))['parts']);
  const path = `contents[${String(message)}].parts${alone ? '' : `[${String(part)}]`}`;
  const lines = keys.map(
    (key) => `Invalid JSON payload received. Unknown name "${key}" at '${path}': Cannot find field.`,
  );
  return lines.length === 0 ? undefined : lines.join('\n');
}
