import type { Flaw } from '../files/parse-line.ts';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';

/** One record of a rollout, whatever the version that wrote it. */
export type RolloutRecord = {
  readonly place: Place;
  readonly type: string;
  readonly payload: JsonObject;
  readonly value: JsonObject;
  readonly flaws: readonly Flaw[];
};

const TYPES: ReadonlySet<string> = new Set(
  `session_meta response_item event_msg turn_context compacted world_state inter_agent_communication
  inter_agent_communication_metadata security_risk_score token_usage_record`.split(/\s+/),
);

export const isKnownType = (type: string): boolean => TYPES.has(type) || type === 'state';

/** Kinds of items that stood alone on a line until September 2025. */
const BARE_ITEMS: ReadonlySet<string> = new Set(
  `message reasoning function_call function_call_output local_shell_call custom_tool_call
  custom_tool_call_output`.split(/\s+/),
);

/** The first line of a session until September 2025: it has no type. */
export const isBareHead = (value: JsonObject): boolean =>
  !Object.hasOwn(value, 'type') &&
  textAt(value, 'id') !== undefined &&
  textAt(value, 'timestamp') !== undefined &&
  (Object.hasOwn(value, 'instructions') || Object.hasOwn(value, 'git'));

export const isRollout = (value: JsonObject): boolean =>
  objectAt(value, 'payload') !== undefined && TYPES.has(textAt(value, 'type') ?? '');

/** Whether an object is a record of a rollout, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean =>
  isRollout(value) || Object.hasOwn(value, 'record_type') || isBareHead(value);

/** What a record is and holds, in the words of the present version. */
export function readRecord(value: JsonObject): { readonly type: string; readonly payload: JsonObject } {
  const payload = objectAt(value, 'payload');
  if (payload !== undefined) return { type: textAt(value, 'type') ?? '', payload };
  if (textAt(value, 'record_type') !== undefined) return { type: 'state', payload: value };
  if (isBareHead(value)) return { type: 'session_meta', payload: value };
  const isItem = BARE_ITEMS.has(textAt(value, 'type') ?? '') || textAt(value, 'role') !== undefined;
  return { type: isItem ? 'response_item' : (textAt(value, 'type') ?? ''), payload: value };
}

/** Kinds of items that are part of a request. Codex drops the ones that it does not know. */
const SENT: ReadonlySet<string> = new Set(
  `message reasoning function_call function_call_output local_shell_call custom_tool_call custom_tool_call_output
  tool_search_call tool_search_output web_search_call image_generation_call compaction compaction_summary
  context_compaction agent_message additional_tools configuration_update`.split(/\s+/),
);

export const isSent = (item: JsonObject): boolean =>
  SENT.has(textAt(item, 'type') ?? 'message') && textAt(item, 'role') !== 'system';

/** How texts begin that the program puts among the messages of users: they are no turns. */
const CONTEXT = [
  '# AGENTS.md instructions',
  '<environment_context',
  '<environments',
  '<user_instructions',
  '<INSTRUCTIONS',
  '<skill',
  '<user_shell_command',
  '<turn_aborted',
  '<subagent_notification',
  '<codex_internal_context',
  '<goal_context',
  '<recommended_plugins',
  '<hook_prompt',
];

const textsOf = (item: JsonObject): readonly string[] => {
  const { content } = item;
  if (typeof content === 'string') return [content];
  return listAt(item, 'content').flatMap((part) => textAt(part, 'text') ?? []);
};

export const textOf = (item: JsonObject): string => textsOf(item).join('');

/** What an item means for the turns: one begins, context stands before one, or neither. */
export function roleInTurns(item: JsonObject): 'turn' | 'context' | 'other' {
  if (textAt(item, 'type') === 'agent_message') return 'turn';
  const role = textAt(item, 'role');
  const isContext = textsOf(item).some((text) => CONTEXT.some((start) => text.trimStart().startsWith(start)));
  if (role === 'user') return isContext ? 'context' : 'turn';
  return role === 'developer' && textsOf(item).some((text) => /^\s*<[\w ]+>/.test(text)) ? 'context' : 'other';
}

/** The summary of an earlier compaction is a message of the user, and begins like this. */
const SUMMARY = 'Another language model started to solve this problem';

export const isSummary = (item: JsonObject): boolean => textOf(item).startsWith(SUMMARY);

/** What the program notes beside an item, and takes off before it sends it. */
const NOTES: ReadonlySet<string> = new Set(['internal_chat_message_metadata_passthrough', 'harness_metadata']);

export const wireItem = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !NOTES.has(key)));

/** A message from one agent to another, as the model sees it. */
export function agentMessage(payload: JsonObject): JsonObject {
  const [author, recipient] = [textAt(payload, 'author') ?? '', textAt(payload, 'recipient') ?? ''];
  const encrypted = textAt(payload, 'encrypted_content');
  const kind = payload['trigger_turn'] === true ? 'NEW_TASK' : 'MESSAGE';
  const head = `Message Type: ${kind}\nTask name: ${recipient}\nSender: ${author}\nPayload:\n`;
  const content =
    encrypted === undefined
      ? [{ type: 'input_text', text: textAt(payload, 'content') ?? '' }]
      : [
          { type: 'input_text', text: head },
          { type: 'encrypted_content', encrypted_content: encrypted },
        ];
  return { type: 'agent_message', author, recipient, content };
}

export const isDocument = (value: unknown): value is JsonObject =>
  isObject(value) && objectAt(value, 'session') !== undefined && Array.isArray(value['items']);
