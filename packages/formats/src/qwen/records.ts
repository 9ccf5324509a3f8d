import { listAt, objectAt, textAt, type JsonObject } from '../json.ts';

const TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'tool_result', 'system']);

const SUBTYPES: ReadonlySet<string> = new Set(
  `chat_compression slash_command ui_telemetry at_command attribution_snapshot notification cron mid_turn_user_message
  realtime_message custom_title parent_session rewind agent_bootstrap agent_launch_prompt agent_retry
  file_history_snapshot session_source session_model branch_checkpoint goal_state goal_runtime turn_result
  session_artifact_event session_artifact_snapshot`.split(/\s+/),
);

/** Whether an object is a record of a session, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean =>
  TYPES.has(textAt(value, 'type') ?? '') &&
  Object.hasOwn(value, 'parentUuid') &&
  [textAt(value, 'uuid'), textAt(value, 'sessionId')].every((id) => id !== undefined && id !== '');

export const isKnownKind = (value: JsonObject): boolean => {
  const subtype = textAt(value, 'subtype');
  return subtype === undefined || SUBTYPES.has(subtype);
};

/** Records that stand beside the conversation: nothing follows them, and they end nothing. */
export const isArtifact = (value: JsonObject): boolean =>
  (textAt(value, 'subtype') ?? '').startsWith('session_artifact_');

/** The history that a compression left, in which its summary is. */
export const compressedHistory = (value: JsonObject): readonly unknown[] | undefined => {
  if (value['type'] !== 'system' || value['subtype'] !== 'chat_compression') return undefined;
  const payload = objectAt(value, 'systemPayload');
  return Array.isArray(payload?.['compressedHistory']) ? listAt(payload, 'compressedHistory') : undefined;
};

/** What the model is sent of a record: nothing of what the program notes for itself, or of spoken asides. */
export const messageOf = (value: JsonObject): JsonObject | undefined =>
  value['type'] === 'system' || value['subtype'] === 'realtime_message' ? undefined : objectAt(value, 'message');

/** How a request was made: the program notes it beside each answer. */
export const authType = (value: JsonObject): string | undefined =>
  textAt(objectAt(objectAt(value, 'systemPayload'), 'uiEvent'), 'auth_type');
