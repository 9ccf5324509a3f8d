import { isObject, isTooDeep, listAt, objectAt, parseJson, textAt, type JsonObject } from '../json.ts';
import { decodeMsgpack, type Extension } from './msgpack.ts';

/** The kinds of extensions that hold an object of Python: how it was made, and of what. */
const OBJECTS: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5]);

/** A value of a checkpoint, by the way in which it was written; undefined when it cannot be read. */
export function decodeValue(type: unknown, bytes: unknown): unknown {
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  if (!(data instanceof Uint8Array)) return undefined;
  const value = type === 'msgpack' ? decodeMsgpack(data, extend) : parseJson(Buffer.from(data).toString('utf8'));
  return isTooDeep(value) ? undefined : value;
}

function extend({ kind, data }: Extension): unknown {
  if (!OBJECTS.has(kind)) return null;
  const made = decodeMsgpack(data, extend);
  const [module, name, values] = Array.isArray(made) ? (made as unknown[]) : [];
  if (typeof module === 'string' && module.includes('messages')) return messageOf(String(name), values);
  return values ?? null;
}

/** Classes of messages by the words that are used for them where they are written as JSON. */
const CLASSES: Readonly<Record<string, string>> = {
  HumanMessage: 'human',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'function',
  RemoveMessage: 'remove',
};

const messageOf = (name: string, values: unknown): unknown => ({
  type: (Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined) ?? textAt(values, 'type') ?? name,
  data: isObject(values) ? values : {},
});

/** A message of LangChain in one of its three forms. */
export const isMessage = (value: unknown): value is JsonObject =>
  isObject(value) && ((textAt(value, 'type') !== undefined && isObject(value['data'])) || isConstructor(value));

const isConstructor = (value: JsonObject): boolean =>
  value['lc'] === 1 && listAt(value, 'id').some((part) => typeof part === 'string' && part.endsWith('Message'));

/** The messages in the state of a checkpoint. The channel is called `messages` by custom only. */
export function messagesIn(checkpoint: unknown): readonly unknown[] {
  const channels = isObject(checkpoint) ? objectAt(checkpoint, 'channel_values') : undefined;
  const named = listAt(channels, 'messages');
  if (named.length > 0) return named;
  return (
    Object.values(channels ?? {}).find((value): value is unknown[] => Array.isArray(value) && value.some(isMessage)) ??
    []
  );
}

export const idOf = (message: JsonObject): string | undefined =>
  textAt(objectAt(message, 'data') ?? objectAt(message, 'kwargs'), 'id');
