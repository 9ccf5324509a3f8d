import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'gemini', 'model', 'info', 'error', 'warning']);

/** What the first line of a log, or a whole document, says about the session. */
export const isHeader = (value: unknown): value is JsonObject =>
  textAt(value, 'sessionId') !== undefined && (textAt(value, 'projectHash') !== undefined || hasMessages(value));

const hasMessages = (value: unknown): boolean => {
  const messages = listAt(value, 'messages');
  return messages.length > 0 && messages.every((message) => MESSAGE_TYPES.has(textAt(message, 'type') ?? ''));
};

/** What `/chat save` writes: contents of the API as they are. */
export const isCheckpoint = (value: unknown): value is JsonObject => {
  const history = listAt(value, 'history');
  return history.length > 0 && history.every((turn) => Array.isArray(objectOf(turn)['parts']));
};

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const isMessage = (value: JsonObject): boolean =>
  MESSAGE_TYPES.has(textAt(value, 'type') ?? '') && textAt(value, 'id') !== undefined;

export const isChange = (value: JsonObject): boolean =>
  objectAt(value, '$set') !== undefined || textAt(value, '$rewindTo') !== undefined;

/** Whether an object is a record of a log, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean => isMessage(value) || isChange(value) || isHeader(value);

/** Node's reader of lines, which the tool uses, ends a line at these characters too; the two halves are no JSON. */
export const isSplitByNode = (value: JsonObject): boolean => /[\u2028\u2029]/.test(JSON.stringify(value));

/** Parts of a content, of which a bare text is one. */
export const partsOf = (content: unknown): readonly JsonObject[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  if (!Array.isArray(content)) return isObject(content) ? [content] : [];
  return content.flatMap((part) => (typeof part === 'string' ? [{ text: part }] : isObject(part) ? [part] : []));
};

export const textOf = (content: unknown): string =>
  partsOf(content)
    .map((part) => textAt(part, 'text') ?? '')
    .join('');

/** Prompts that never reach the model: commands. The context of a session is written anew each time. */
export function unsentReason(message: JsonObject): 'hidden' | 'reworded' | undefined {
  const type = textAt(message, 'type');
  if (type !== 'user') return type === 'gemini' || type === 'model' ? undefined : 'hidden';
  const parts = partsOf(message['content']);
  const text = textOf(message['content']).trim();
  if (/^<(session|hook)_context>/.test(text)) return 'reworded';
  if (/^[/?]/.test(text) || parts.length === 0) return 'hidden';
  return text === '' && parts.every((part) => Object.hasOwn(part, 'text')) ? 'hidden' : undefined;
}

/** The contents that a message becomes: an answer is followed by the results of its calls. */
export function contentsOf(message: JsonObject): { readonly role: 'user' | 'model'; readonly parts: JsonObject[] }[] {
  const parts = partsOf(message['content']).filter((part) => part['thought'] !== true);
  if (textAt(message, 'type') === 'user') return [{ role: 'user', parts: parts.map(withPlainIds) }];
  const calls = listAt(message, 'toolCalls').filter(isObject);
  const hasCalls = parts.some((part) => Object.hasOwn(part, 'functionCall'));
  const model = [...parts, ...(hasCalls ? [] : calls.map(callPart))];
  if (model.length === 0) return [];
  const results = calls.flatMap(resultParts);
  return [
    { role: 'model', parts: model.map(withPlainIds) },
    ...(results.length === 0 ? [] : [{ role: 'user' as const, parts: results.map(withPlainIds) }]),
  ];
}

const callPart = ({ id, name, args }: JsonObject): JsonObject => ({
  functionCall: { ...(id === undefined ? {} : { id }), args: isObject(args) ? args : {}, name },
});

function resultParts(call: JsonObject): readonly JsonObject[] {
  const { id, name, result } = call;
  if (typeof result === 'string') return [{ functionResponse: { id, name, response: { output: result } } }];
  return partsOf(result);
}

/** Ids are kept with the name of the tool before them, and sent without it. */
function withPlainIds(part: JsonObject): JsonObject {
  const key = Object.hasOwn(part, 'functionCall') ? 'functionCall' : 'functionResponse';
  const held = objectAt(part, key);
  const [id, name] = [textAt(held, 'id'), textAt(held, 'name')];
  if (held === undefined || id === undefined || !id.startsWith(`${name}__`)) return part;
  return { ...part, [key]: { ...held, id: id.slice(`${name}__`.length) } };
}
