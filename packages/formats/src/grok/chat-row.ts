import { isObject, listAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Meaning } from '../pieces/read-pieces.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { promptTitle } from './detect.ts';
import { isChatRow } from './records.ts';

/** What a row of the derived log says. It is written for the API, but for the keys. */
export function rowMeaning(row: JsonObject): Meaning<undefined> {
  if (!isChatRow(row)) return { unknown: 'This is no message.' };
  const notes = { model: textAt(row, 'model_id'), ...optional('prompt', promptTitle(row)) };
  switch (row['type']) {
    case 'system':
      return { notes: { system: textAt(row, 'content') } };
    case 'user':
      return { turns: [{ role: 'user', parts: partsOf(row['content']) }], notes };
    case 'reasoning': {
      const sealed = textAt(row, 'encrypted_content');
      const item = { type: 'reasoning', summary: listAt(row, 'summary'), encrypted_content: sealed };
      return sealed === undefined ? { wire: [{ ...row }], absent: 'hidden', notes } : { wire: [item], notes };
    }
    case 'assistant': {
      const calls = listAt(row, 'tool_calls').filter(isObject).map(callOf);
      return { turns: [{ role: 'assistant', parts: [...textPart(textAt(row, 'content')), ...calls] }], notes };
    }
    case 'tool_result': {
      const text = textAt(row, 'content') ?? JSON.stringify(row['content'] ?? '');
      const result: Part = { kind: 'result', id: textAt(row, 'tool_call_id') ?? '', name: '', text };
      return { turns: [{ role: 'user', parts: [result] }], notes };
    }
    default:
      // A search that the provider ran itself is told to nobody again.
      return { wire: [{ ...row }], absent: 'hidden', notes };
  }
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return textPart(content);
  return (Array.isArray(content) ? content : []).flatMap((part): Part[] => {
    const url = textAt(part, 'url');
    if (textAt(part, 'type') !== 'image' || url === undefined) return textPart(textAt(part, 'text'));
    return [{ kind: 'media', type: 'image/png', url }];
  });
}

function callOf(call: JsonObject): Part {
  const input = parseJson(textAt(call, 'arguments') ?? '');
  return {
    kind: 'call',
    id: textAt(call, 'id') ?? '',
    name: textAt(call, 'name') ?? '',
    input: isObject(input) ? input : {},
  };
}
