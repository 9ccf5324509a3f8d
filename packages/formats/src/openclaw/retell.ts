import type { Dialect } from '@rethread/core';

import { isObject, listAt, textAt, type JsonObject } from '../json.ts';
import type { Said } from '../pi/wire/said.ts';

/** APIs for which ids are written without anything but letters and digits. */
const STRICT: ReadonlySet<string> = new Set<Dialect>(['anthropic-messages', 'gemini']);

/** What OpenClaw changes for some APIs: ids are plain, and only the last answer keeps its reasoning. */
export function retell(said: readonly Said[], dialect: Dialect): readonly Said[] {
  if (!STRICT.has(dialect)) return said;
  const last = said.findLastIndex(({ message }) => message['role'] === 'assistant');
  return said.map(({ message, places }, index) => {
    const keepsReasoning = dialect !== 'anthropic-messages' || index === last;
    return { message: plain(message, keepsReasoning), places };
  });
}

function plain(message: JsonObject, keepsReasoning: boolean): JsonObject {
  const id = textAt(message, 'toolCallId');
  if (message['role'] === 'toolResult') return id === undefined ? message : { ...message, toolCallId: plainId(id) };
  if (message['role'] !== 'assistant' || !Array.isArray(message['content'])) return message;
  const content = listAt(message, 'content').flatMap((block) => {
    if (!isObject(block)) return [];
    if (block['type'] === 'thinking' && !keepsReasoning) return [];
    return block['type'] === 'toolCall' ? [{ ...block, id: plainId(textAt(block, 'id') ?? '') }] : [block];
  });
  return { ...message, content };
}

const plainId = (id: string): string => id.replace(/[^a-zA-Z0-9]/g, '');
