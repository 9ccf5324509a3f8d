import type { Case } from '../../model/rule.ts';
import { resultOf } from '../remedies/place.ts';

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
