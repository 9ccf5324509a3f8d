import { textAt, type JsonObject } from '../../json.ts';
import { seal } from '../records.ts';
import type { Part } from '../stores.ts';
import { inputOf, mediaOf, placesOf, resultOf, type Turn, type WireMessage } from '../turns.ts';

/** Contents of the Gemini API: a turn each. */
export function toGemini(turns: readonly Turn[]): WireMessage[] {
  return turns.flatMap(({ role, parts }) => {
    const made = parts.flatMap((part) => (role === 'tool' ? [resultPart(part.value)] : partsOf(part)));
    const side = role === 'assistant' ? 'model' : 'user';
    return made.length === 0 ? [] : [{ message: { role: side, parts: made }, places: placesOf(parts) }];
  });
}

function partsOf({ value }: Part): JsonObject[] {
  const { thoughtSignature } = seal(value, 'google');
  const sealed = thoughtSignature === undefined ? {} : { thoughtSignature };
  switch (value['type']) {
    case 'text':
      return textAt(value, 'text') === '' ? [] : [{ text: value['text'], ...sealed }];
    case 'reasoning':
      return textAt(value, 'text') === '' ? [] : [{ text: value['text'], thought: true, ...sealed }];
    case 'tool':
      return [{ functionCall: { name: value['tool'], args: inputOf(value) }, ...sealed }];
    default:
      return [{ inlineData: { mimeType: mediaOf(value).type, data: mediaOf(value).data } }];
  }
}

const resultPart = (part: JsonObject): JsonObject => ({
  functionResponse: { name: part['tool'], response: { name: part['tool'], content: resultOf(part)?.text ?? '' } },
});
