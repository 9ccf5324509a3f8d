import { isObject, type JsonObject, type Said } from './docket.ts';
import type { ResponsesHearing } from './openai-responses-rows.ts';
import { missingOrWrongType, wrongType } from './openai-responses-words.ts';
import { flawsBeside } from './text-scan.ts';

/** The stored response or conversation a request goes on from. */
interface Origin {
  readonly field: 'previous_response_id' | 'conversation';
  readonly id: string;
}

const NOTHING_GIVEN: Said = {
  text: "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
  code: 'missing_required_parameter',
  param: 'input',
};

/** The items of a body: a bare string is one message of the user, and what goes on from elsewhere may add none. */
export function readResponsesInput(body: JsonObject): readonly unknown[] | Said {
  const { input } = body;
  if (Array.isArray(input)) return input;
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (input !== undefined && input !== null) return wrongType('input', 'one of an array of objects or string', input);
  return hasOtherStart(body) ? [] : NOTHING_GIVEN;
}

/** Judges what lies around the input. Gives what stands before it: items, nothing, or something that is not seen. */
export function judgeRequest(hearing: ResponsesHearing): readonly unknown[] | 'unseen' | undefined {
  const { matter, docket } = hearing;
  const { body, purpose, list, whole, memory } = matter;
  if (purpose === 'request' && (list.length === 0 || body?.input === '') && !hasOtherStart(body)) {
    docket.refuse('or-nonempty', '', NOTHING_GIVEN);
  }
  if (body === undefined) return undefined;
  if (purpose === 'request') {
    for (const { row, pointer, text } of flawsBeside(body, 'input')) docket.refuseOutside(row, pointer, text);
  }
  if (whole && typeof body.model !== 'string' && !isObject(body.prompt)) {
    docket.refuseOutside('shape', '/model', missingOrWrongType('model', 'a string', body.model));
  }
  const origins = originsOf(body);
  const [origin] = origins;
  if (origins.length > 1) docket.refuseOutside('shape', '/conversation', TWO_ORIGINS);
  if (origin === undefined) return undefined;
  const chain = memory?.chain(origin.id);
  if (memory !== undefined && chain === undefined) {
    docket.refuseOutside('or-item-lost', `/${origin.field}`, originLost(origin));
  }
  return chain ?? 'unseen';
}

const TWO_ORIGINS: Said = {
  text: "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
  code: 'mutually_exclusive_parameters',
  param: null,
};

function originLost({ field, id }: Origin): Said {
  if (field === 'conversation') {
    return { text: `Conversation with id '${id}' not found.`, status: 404, code: null, param: null };
  }
  return { text: `Previous response with id '${id}' not found.`, code: 'previous_response_not_found', param: field };
}

function originsOf({ previous_response_id: response, conversation }: JsonObject): Origin[] {
  const origins: Origin[] = [];
  if (typeof response === 'string') origins.push({ field: 'previous_response_id', id: response });
  const id = isObject(conversation) ? conversation.id : conversation;
  if (typeof id === 'string') origins.push({ field: 'conversation', id });
  return origins;
}

function hasOtherStart(body: JsonObject | undefined): boolean {
  return body !== undefined && (isObject(body.prompt) || originsOf(body).length > 0);
}
