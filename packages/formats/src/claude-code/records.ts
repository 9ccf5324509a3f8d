import { isObject, objectAt, textAt, type JsonObject } from '../json.ts';
import { titleFrom } from '../title.ts';

/** Kinds of records that Claude Code 1.0 to 2.1 writes. Others are carried, and count as unknown. */
const TYPES: ReadonlySet<string> = new Set(
  `user assistant attachment system progress summary file-history-snapshot file-history-delta queue-operation
  last-prompt mode permission-mode ai-title custom-title agent-name agent-color agent-setting pr-link
  worktree-state frame-link bridge-session relocated started result continued-in atis-latch tag task-summary
  session-state`.split(/\s+/),
);

export const isKnownType = (type: string): boolean => TYPES.has(type);

/** Whether an object is a record of a session file, and not a part of one that was torn. */
export function isRecord(value: JsonObject): boolean {
  const type = textAt(value, 'type');
  if (type === undefined) return false;
  return Object.hasOwn(value, 'uuid') || Object.hasOwn(value, 'sessionId') || TYPES.has(type);
}

/** What `--output-format stream-json` prints: not a session file, but people keep it. It has no chain. */
export const isStreamed = (record: JsonObject): boolean =>
  textAt(record, 'session_id') !== undefined &&
  !Object.hasOwn(record, 'sessionId') &&
  (record['subtype'] === 'init' || messageOf(record) !== undefined);

/** What a record says to the model, or heard from it: the message of a user or an assistant. */
export function messageOf(record: JsonObject): JsonObject | undefined {
  const type = textAt(record, 'type');
  return type === 'user' || type === 'assistant' ? objectAt(record, 'message') : undefined;
}

/** The blocks of a content, of which a bare text is one. */
export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

/** The ids in some blocks: those of calls by `id`, those of results by `tool_use_id`. */
export function idsIn(content: unknown, type: 'tool_use' | 'tool_result'): string[] {
  const key = type === 'tool_use' ? 'id' : 'tool_use_id';
  return blocksOf(content).flatMap((block) => {
    const id = isObject(block) && block['type'] === type ? textAt(block, key) : undefined;
    return id === undefined ? [] : [id];
  });
}

/** The text of a prompt as a title: its first line, cut to a length. */
export function titleOf(record: JsonObject): string | undefined {
  if (textAt(record, 'type') !== 'user' || record['isMeta'] === true || record['isCompactSummary'] === true) {
    return undefined;
  }
  const texts = blocksOf(messageOf(record)?.['content']).map((block) => textAt(block, 'text'));
  const text = texts.find((each) => each !== undefined && !/^\s*<|^\s*$/.test(each));
  return titleFrom(text);
}
