import { textAt, type JsonObject } from '../../json.ts';
import type { Place } from '../../place.ts';
import { seal } from '../records.ts';
import type { Part } from '../stores.ts';
import { inputOf, mediaOf, placesOf, resultOf, type Turn, type WireMessage } from '../turns.ts';

/** Messages of the Anthropic API. Turns of one side in a row are one message. */
export function toAnthropic(turns: readonly Turn[]): WireMessage[] {
  const wire: { message: { role: string; content: JsonObject[] }; places: Place[] }[] = [];
  for (const { role, parts } of turns) {
    const content = parts.flatMap((part) => blocksOf(role, part));
    if (content.length === 0) continue;
    const side = role === 'assistant' ? 'assistant' : 'user';
    const last = wire.at(-1);
    if (last?.message.role === side) {
      last.message.content.push(...content);
      last.places.push(...placesOf(parts));
    } else wire.push({ message: { role: side, content }, places: [...placesOf(parts)] });
  }
  return wire;
}

function blocksOf(role: Turn['role'], { value }: Part): JsonObject[] {
  if (role === 'tool') return [resultBlock(value)];
  switch (value['type']) {
    case 'text':
      return value['text'] === '' ? [] : [{ type: 'text', text: value['text'] }];
    case 'reasoning':
      return reasoningBlock(value);
    case 'tool':
      return [{ type: 'tool_use', id: plainId(value), name: value['tool'], input: inputOf(value) }];
    default:
      return [fileBlock(value)];
  }
}

const plainId = (part: JsonObject): string => (textAt(part, 'callID') ?? '').replace(/[^a-zA-Z0-9_-]/g, '_');

function resultBlock(part: JsonObject): JsonObject {
  const { text, isError } = resultOf(part) ?? { text: '', isError: true };
  return { type: 'tool_result', tool_use_id: plainId(part), content: text, ...(isError ? { is_error: true } : {}) };
}

/** Reasoning without its seal is left out. */
function reasoningBlock(part: JsonObject): JsonObject[] {
  const { signature, redactedData } = seal(part, 'anthropic');
  if (signature !== undefined) return [{ type: 'thinking', thinking: part['text'], signature }];
  return redactedData === undefined ? [] : [{ type: 'redacted_thinking', data: redactedData }];
}

function fileBlock(part: JsonObject): JsonObject {
  const { type, url, data } = mediaOf(part);
  const source = url.startsWith('data:') ? { type: 'base64', media_type: type, data } : { type: 'url', url };
  return { type: type.startsWith('image/') ? 'image' : 'document', source };
}
