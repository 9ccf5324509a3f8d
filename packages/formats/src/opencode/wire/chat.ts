import { textAt, type JsonObject } from '../../json.ts';
import type { Part } from '../stores.ts';
import { inputOf, mediaOf, placesOf, resultOf, type Turn, type WireMessage } from '../turns.ts';

/** Messages of the Chat Completions API. Each result is a message of its own. */
export function toChat(turns: readonly Turn[]): WireMessage[] {
  return turns.flatMap(({ role, parts }) => {
    if (role === 'tool') return parts.map((part) => ({ message: resultOfCall(part), places: [part.place] }));
    const message = role === 'user' ? userMessage(parts) : answer(parts);
    return message === undefined ? [] : [{ message, places: placesOf(parts) }];
  });
}

function userMessage(parts: readonly Part[]): JsonObject {
  const [first] = parts;
  if (parts.length === 1 && first?.value['type'] === 'text') return { role: 'user', content: first.value['text'] };
  return { role: 'user', content: parts.map(({ value }) => userPart(value)) };
}

function userPart(part: JsonObject): JsonObject {
  if (part['type'] === 'text') return { type: 'text', text: part['text'] };
  return { type: 'image_url', image_url: { url: mediaOf(part).url } };
}

function answer(parts: readonly Part[]): JsonObject | undefined {
  const values = parts.map(({ value }) => value);
  const textsOf = (type: string): string =>
    values
      .filter((value) => value['type'] === type)
      .map((value) => textAt(value, 'text') ?? '')
      .join('');
  const calls = values.filter(({ type }) => type === 'tool').map(callOf);
  const [text, reasoning] = [textsOf('text'), textsOf('reasoning')];
  if (text === '' && reasoning === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    content: text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

const callOf = (part: JsonObject): JsonObject => ({
  id: part['callID'],
  type: 'function',
  function: { name: part['tool'], arguments: JSON.stringify(inputOf(part)) },
});

const resultOfCall = ({ value }: Part): JsonObject => ({
  role: 'tool',
  tool_call_id: value['callID'],
  content: resultOf(value)?.text ?? '',
});
