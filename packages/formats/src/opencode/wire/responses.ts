import { textAt, type JsonObject } from '../../json.ts';
import { seal } from '../records.ts';
import type { Part } from '../stores.ts';
import { inputOf, mediaOf, placesOf, resultOf, type Turn, type WireMessage } from '../turns.ts';

/** Items of the Responses API, without ids: the provider stores nothing. */
export function toResponses(turns: readonly Turn[]): WireMessage[] {
  return turns.flatMap(({ role, parts }): WireMessage[] => {
    if (role === 'user') {
      const content = parts.map(({ value }) => userPart(value));
      return [{ message: { role: 'user', content }, places: placesOf(parts) }];
    }
    if (role === 'tool') return parts.map((part) => ({ message: outputItem(part.value), places: [part.place] }));
    return answerItems(parts);
  });
}

function userPart(part: JsonObject): JsonObject {
  if (part['type'] === 'text') return { type: 'input_text', text: part['text'] };
  const { type, url } = mediaOf(part);
  return type.startsWith('image/') ? { type: 'input_image', image_url: url } : { type: 'input_file', file_data: url };
}

const outputItem = (part: JsonObject): JsonObject => ({
  type: 'function_call_output',
  call_id: part['callID'],
  output: resultOf(part)?.text ?? '',
});

/** Reasoning comes in pieces: those of one item are one item again. */
function answerItems(parts: readonly Part[]): WireMessage[] {
  const items: WireMessage[] = [];
  const reasoning = new Map<unknown, { summary: JsonObject[]; at: number }>();
  for (const { value, place } of parts) {
    const { itemId, reasoningEncryptedContent } = seal(value, 'openai');
    const known = value['type'] === 'reasoning' && itemId !== undefined ? reasoning.get(itemId) : undefined;
    if (known !== undefined) {
      known.summary.push(...summaryOf(value));
      const held = items[known.at];
      if (held !== undefined) items[known.at] = { ...held, places: [...held.places, place] };
      continue;
    }
    const item = value['type'] === 'reasoning' ? reasoningItem(value, reasoningEncryptedContent) : spokenItem(value);
    if (item === undefined) continue;
    if (Array.isArray(item['summary']))
      reasoning.set(itemId, { summary: item['summary'] as JsonObject[], at: items.length });
    items.push({ message: item, places: [place] });
  }
  return items;
}

const summaryOf = (part: JsonObject): JsonObject[] => {
  const text = textAt(part, 'text') ?? '';
  return text === '' ? [] : [{ type: 'summary_text', text }];
};

/** Reasoning that came without its encrypted content cannot be sent back. */
const reasoningItem = (part: JsonObject, sealed: unknown): JsonObject | undefined =>
  typeof sealed === 'string' ? { type: 'reasoning', encrypted_content: sealed, summary: summaryOf(part) } : undefined;

function spokenItem(part: JsonObject): JsonObject {
  if (part['type'] === 'text') return { role: 'assistant', content: [{ type: 'output_text', text: part['text'] }] };
  return {
    type: 'function_call',
    call_id: part['callID'],
    name: part['tool'],
    arguments: JSON.stringify(inputOf(part)),
  };
}
