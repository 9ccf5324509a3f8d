import { isObject, listAt, objectAt, type JsonObject } from '../json.ts';
import { isScreen } from './records.ts';

/** The messages that were taken out to make room, as the screen noted it last: the first and the last of them. */
export function deletedRange(screen: unknown): readonly [number, number] | undefined {
  if (!isScreen(screen)) return undefined;
  const noted = screen.findLast((each) => Array.isArray(each['conversationHistoryDeletedRange']));
  const [first, last] = listAt(noted, 'conversationHistoryDeletedRange');
  return typeof first === 'number' && typeof last === 'number' ? [first, last] : undefined;
}

/**
 * Applies the edits that were made to texts, such as a note in the place of a file that was read twice. They are kept
 * as `[message, [kind, [[block, [[time, kind, [text], ...], ...]], ...]]]`, of which the last one counts.
 */
export function applyEdits(messages: readonly JsonObject[], edits: unknown): readonly JsonObject[] {
  const edited = [...messages];
  for (const [at, inner] of pairsIn(edits)) {
    const message = edited[at];
    if (message === undefined || !Array.isArray(inner)) continue;
    for (const [block, updates] of pairsIn(inner[1])) {
      const last: unknown = Array.isArray(updates) ? updates.at(-1) : undefined;
      const text: unknown = Array.isArray(last) && Array.isArray(last[2]) ? last[2][0] : undefined;
      if (typeof text === 'string') edited[at] = withText(edited[at] ?? message, block, text);
    }
  }
  return edited;
}

const pairsIn = (value: unknown): [number, unknown][] =>
  (Array.isArray(value) ? value : []).flatMap((pair: unknown): [number, unknown][] =>
    Array.isArray(pair) && typeof pair[0] === 'number' ? [[pair[0], pair[1]]] : [],
  );

function withText(message: JsonObject, at: number, text: string): JsonObject {
  const content = listAt(message, 'content').map((block, index) => {
    if (index !== at || !isObject(block)) return block;
    return Object.hasOwn(block, 'content') && objectAt(block, 'content') === undefined
      ? { ...block, content: text }
      : { ...block, text };
  });
  return { ...message, content };
}
