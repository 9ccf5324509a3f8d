import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { textPart, type Part, type Turn } from '../wire/turn.ts';

const isMessage = (value: unknown): value is JsonObject =>
  isObject(value) &&
  (value['role'] === 'user' || value['role'] === 'assistant') &&
  (typeof value['content'] === 'string' || Array.isArray(value['content']));

/** A session of the fourth version: its messages, and what it is. */
export const isSession = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textAt(value, 'sessionId') !== undefined &&
  listAt(value, 'messages').every(isMessage) &&
  Array.isArray(value['messages']) &&
  (textAt(value, 'agent') !== undefined || objectAt(value, 'origin') !== undefined);

const CONTEXT = /^<(?:task|feedback|user_message)>|<environment_details>|^\[TASK RESUMPTION\]/;

/** The history of a task as it is sent, with notes on the model and on the time. */
export const isHistory = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage) && value.some(isNoted);

const isNoted = (message: JsonObject): boolean =>
  ['modelInfo', 'metrics', 'ts'].some((key) => Object.hasOwn(message, key)) ||
  (message['role'] === 'user' && CONTEXT.test(textOf(message)));

/** What Roo Code alone writes. */
export const isRooHistory = (value: unknown): value is readonly JsonObject[] =>
  isHistory(value) && value.some((message) => ROO.some((key) => Object.hasOwn(message, key)));

const ROO = ['isSummary', 'condenseId', 'condenseParent', 'truncationId', 'truncationParent', 'isTruncationMarker'];

/** What the screen shows of a task: not what is sent. */
export const isScreen = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (each) => isObject(each) && typeof each['ts'] === 'number' && (each['type'] === 'say' || each['type'] === 'ask'),
  );

export const blocksOf = ({ content }: JsonObject): readonly JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
};

export const textOf = (message: JsonObject): string =>
  blocksOf(message)
    .map((block) => textAt(block, 'text') ?? '')
    .join('');

/** The words of the user, without what the program puts around them. */
export const promptOf = (message: JsonObject): string | undefined => {
  if (message['role'] !== 'user') return undefined;
  const text = bare(textOf(message)).replace(/<environment_details>.*/s, '');
  return (/<(?:task|feedback)>(.*?)<\/(?:task|feedback)>/s.exec(text)?.[1] ?? text).trim() || undefined;
};

/** What is typed is kept with the mode that it was typed in, and sent without it. */
const bare = (text: string): string => text.replace(/^<user_input mode="[^"]*">(.*)<\/user_input>$/s, '$1');

/** A message of the API as a turn. */
export function turnOf(message: JsonObject): Omit<Turn, 'places'> {
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  return { role, parts: blocksOf(message).flatMap((block) => partsOf(block, role)) };
}

function partsOf(block: JsonObject, role: Turn['role']): Part[] {
  switch (block['type']) {
    case 'text':
      return textPart(role === 'user' ? bare(textAt(block, 'text') ?? '') : textAt(block, 'text'));
    case 'thinking': {
      const seal = textAt(block, 'signature');
      return [{ kind: 'reasoning', text: textAt(block, 'thinking') ?? '', ...(seal ? { seal } : {}) }];
    }
    case 'tool_use':
      return [
        {
          kind: 'call',
          id: textAt(block, 'id') ?? '',
          name: textAt(block, 'name') ?? '',
          input: objectAt(block, 'input') ?? {},
        },
      ];
    case 'tool_result':
      return [resultPart(block)];
    case 'image':
    case 'document':
      return mediaPart(block);
    default:
      return [];
  }
}

function mediaPart(block: JsonObject): Part[] {
  const source = objectAt(block, 'source');
  const [data, url] = [textAt(source, 'data') ?? textAt(block, 'data'), textAt(source, 'url')];
  const type = textAt(source, 'media_type') ?? textAt(block, 'mediaType') ?? 'image/png';
  if (data !== undefined) return [{ kind: 'media', type, data }];
  return url === undefined ? [] : [{ kind: 'media', type, url }];
}

/** The fourth version keeps what a tool gave as values, and sends them as JSON. */
function resultPart(block: JsonObject): Part {
  const { content } = block;
  const held = Array.isArray(content) ? content.filter(isObject) : [];
  const isPlain = held.every(({ type }) => type === 'text' || type === 'image');
  const text =
    typeof content === 'string'
      ? content
      : isPlain && held.length > 0
        ? held.map((each) => textAt(each, 'text') ?? '').join('\n')
        : JSON.stringify(content ?? '');
  const media = isPlain ? held.flatMap((each) => (each['type'] === 'image' ? mediaPart(each) : [])) : [];
  return {
    kind: 'result',
    id: textAt(block, 'tool_use_id') ?? '',
    name: textAt(block, 'name') ?? '',
    text,
    ...(block['is_error'] === true ? { isError: true } : {}),
    media: media.filter((part) => part.kind === 'media'),
  };
}
