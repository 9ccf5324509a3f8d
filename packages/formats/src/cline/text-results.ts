import { textAt, type JsonObject } from '../json.ts';
import { blocksOf } from './records.ts';

const HEAD = /^\[([\w-]+)(?: [^\]]*)?\] Result:\s*/;

/**
 * Some versions made native calls and kept their results as text, in the order of the calls: `[read_file for 'a.txt']
 * Result:`. Gives each of them the id of its call; what is no result stays as it is.
 */
export function linkTextResults(messages: readonly JsonObject[]): readonly JsonObject[] {
  const hasResults = messages.some((message) => blocksOf(message).some(({ type }) => type === 'tool_result'));
  if (hasResults) return messages;
  let open: JsonObject[] = [];
  return messages.map((message) => {
    if (message['role'] === 'assistant') {
      open = blocksOf(message).filter(({ type }) => type === 'tool_use');
      return message;
    }
    const content = linked(blocksOf(message), open);
    open = [];
    return content === undefined ? message : { ...message, content };
  });
}

/** A result may come in two texts: its head, and then what the tool gave. */
function linked(blocks: readonly JsonObject[], calls: readonly JsonObject[]): JsonObject[] | undefined {
  const waiting = [...calls];
  const made: JsonObject[] = [];
  let isHeadOnly = false;
  for (const block of blocks) {
    const text = textAt(block, 'text');
    const head = text === undefined ? undefined : HEAD.exec(text);
    const at = head ? waiting.findIndex(({ name }) => name === head[1]) : -1;
    if (text === undefined || (at === -1 && !isHeadOnly)) made.push(block);
    else if (at === -1) {
      made[made.length - 1] = { ...made.at(-1), content: text };
      isHeadOnly = false;
    } else {
      const [call] = waiting.splice(at, 1);
      const content = text.slice(head?.[0].length ?? 0);
      isHeadOnly = content === '';
      made.push({ type: 'tool_result', tool_use_id: textAt(call, 'id') ?? '', name: call?.['name'], content });
    }
  }
  return waiting.length === calls.length ? undefined : made;
}
