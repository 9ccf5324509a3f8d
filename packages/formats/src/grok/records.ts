import { objectAt, textAt, type JsonObject } from '../json.ts';

/** What a line of the authoritative log tells: something that was said, or done. */
export const updateIn = (value: JsonObject): JsonObject | undefined => {
  const update = objectAt(objectAt(value, 'params'), 'update');
  return (textAt(value, 'method') ?? '').endsWith('session/update') && textAt(update, 'sessionUpdate') !== undefined
    ? update
    : undefined;
};

/** Kinds of messages in the log that is made of the authoritative one. */
const CHAT = /^(?:system|user|assistant|reasoning|tool_result|backend_tool_call)$/;

/** A message of the derived log: its type says who speaks, and no role does. */
export const isChatRow = (value: JsonObject): boolean =>
  CHAT.test(textAt(value, 'type') ?? '') &&
  !['uuid', 'sessionId', 'session_id', 'role', 'message', 'timestamp'].some((key) => Object.hasOwn(value, key)) &&
  ['content', 'summary', 'kind', 'tool_call_id'].some((key) => Object.hasOwn(value, key));

export const isRecord = (value: JsonObject): boolean => updateIn(value) !== undefined || isChatRow(value);
