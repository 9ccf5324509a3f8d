import { textAt, type JsonObject } from '../json.ts';
import { titleFrom } from '../title.ts';
import { textOfBlocks } from '../wire/plain-blocks.ts';

/** Whether an object is a record of a session, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean =>
  /^(?:session_start|message|tool_call|tool_result|completion|system|todo_state|compaction_state|session_end)$/.test(
    textAt(value, 'type') ?? '',
  );

/** A title made of what the user said, without what the program put before it. */
export const promptTitle = (message: JsonObject): string | undefined => {
  if (message['role'] !== 'user') return undefined;
  const said = textAt(message, 'text') ?? textOfBlocks(message['content']);
  return titleFrom(said.replace(/<system-reminder>.*?<\/system-reminder>/gs, ''));
};
