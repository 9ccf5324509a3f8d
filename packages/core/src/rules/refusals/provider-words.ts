import type { Case } from '../../model/rule.ts';
import { isRecord } from '../../model/value.ts';
import { holdsData, unknownKeys } from '../remedies/gemini-parts.ts';
import { resultOf, partOf, placeOf, wireOf } from '../remedies/place.ts';

type Words = Readonly<Record<string, (found: Case) => string | undefined>>;

/** One who checks each message against a schema names the place and what is wrong there. */
export function schemaWords(found: Case, complaint: (at: string) => string): string {
  const at = `messages.${String(found.fact.message)}`;
  const { role } = found.message(found.fact.message);
  return `'${at}' : for 'role:${role}' the following must be satisfied[(${complaint(at)})]`;
}

const missing = (at: string, key: string): string => `'${at}.${key}' : property '${key}' is missing`;

/** A call without a type, at its position among the calls. */
export const typeMissing = (found: Case, call: number): string =>
  schemaWords(found, (at) => missing(`${at}.tool_calls.${String(call)}`, 'type'));

const INSUFFICIENT =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
  '(insufficient tool messages following tool_calls message)';

const UNANSWERED =
  '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool ' +
  'messages responding to each "tool_call_id".';

/** Hosts of the chat dialect on a call that nothing answers in its place. */
export const OPEN_CALL: Words = { deepseek: () => INSUFFICIENT, dashscope: () => UNANSWERED };

/** Hosts of the chat dialect on a result whose call they do not find, and on one that names none. */
export const LOST_RESULT: Words = {
  // The text is on record with nothing between its blanks, whatever the id was.
  moonshot: () => 'Invalid request: tool_call_id  is not found',
  groq: (found) =>
    resultOf(found, found.fact).callId === '' ? schemaWords(found, (at) => missing(at, 'tool_call_id')) : undefined,
};

/** Hosts of the chat dialect on a message without content. */
export const NO_CONTENT: Words = {
  moonshot: (found) =>
    found.message(found.fact.message).role === 'assistant'
      ? `the message at position ${String(found.fact.message)} with role 'assistant' must not be empty`
      : undefined,
  xai: () => 'Invalid request content: Each message must have at least one content element.',
};

const TURNS = (): string => 'Conversation roles must alternate user/assistant/user/assistant/...';

/** A template that knows two roles, in turns. */
export const OUT_OF_TURN: Words = { 'openai-chat': TURNS, template: TURNS };

const SYSTEM_FIRST = (): string => 'System message must be at the beginning.';

/** A template that takes one system message, at the beginning. */
export const LATER_SYSTEM: Words = { 'openai-chat': SYSTEM_FIRST, template: SYSTEM_FIRST };

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
