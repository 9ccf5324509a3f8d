import type { AnthropicMessage, AnthropicPart, ResultPart } from './wire-shapes.ts';

/** Where a placeholder stands, so that a real result which comes later can take its place. */
type Placeholder = { parts: AnthropicPart[]; index: number };

type Walk = {
  readonly messages: readonly AnthropicMessage[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: AnthropicMessage[] | undefined;
  /** Calls of the turn by id, and whether each was answered. */
  readonly calls: Map<string, boolean>;
  open: number;
  readonly placeholders: Map<string, Placeholder>;
};

export function minimalRepairAnthropic(messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] {
  const walk: Walk = {
    messages,
    output: undefined,
    calls: new Map(),
    open: 0,
    placeholders: new Map(),
  };
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.role === 'assistant') visitAssistant(walk, message, index);
    else visitUser(walk, message, index);
  }
  if (walk.open > 0) closeOpenCalls(walk, messages.length);
  return walk.output ?? messages;
}

function outputFrom(walk: Walk, index: number): AnthropicMessage[] {
  walk.output ??= walk.messages.slice(0, index);
  return walk.output;
}

function visitAssistant(walk: Walk, message: AnthropicMessage, index: number): void {
  const { content } = message;
  if (content.length === 0) {
    outputFrom(walk, index);
    return;
  }
  if (walk.open > 0) closeOpenCalls(walk, index);
  walk.calls.clear();
  if (typeof content !== 'string') {
    for (const part of content) if (part.type === 'tool_use') walk.calls.set(part.id, false);
  }
  walk.open = walk.calls.size;
  walk.output?.push(message);
}

function visitUser(walk: Walk, message: AnthropicMessage, index: number): void {
  const { content } = message;
  if (content.length === 0) {
    outputFrom(walk, index);
    return;
  }
  if (typeof content === 'string') {
    if (walk.open > 0) closeOpenCalls(walk, index);
    walk.output?.push(message);
    return;
  }
  let seenOther = false;
  for (let at = 0; at < content.length; at += 1) {
    const part = content[at];
    if (part === undefined) continue;
    if (part.type === 'tool_result' ? seenOther || !answer(walk, part.tool_use_id) : walk.open > 0) {
      const output = outputFrom(walk, index);
      const rebuilt = rebuildFrom(walk, content, at);
      if (rebuilt.length > 0) output.push({ ...message, content: rebuilt });
      return;
    }
    if (part.type !== 'tool_result') seenOther = true;
  }
  walk.output?.push(message);
}

function answer(walk: Walk, id: string): boolean {
  if (walk.calls.get(id) !== false) return false;
  walk.calls.set(id, true);
  walk.open -= 1;
  return true;
}

/** Rebuilds a user message whose parts before `start` are in order: results first, then everything else. */
function rebuildFrom(walk: Walk, content: readonly AnthropicPart[], start: number): AnthropicPart[] {
  const results: AnthropicPart[] = content.slice(0, start).filter((part) => part.type === 'tool_result');
  const others: AnthropicPart[] = content.slice(0, start).filter((part) => part.type !== 'tool_result');
  for (const part of content.slice(start)) {
    if (part.type !== 'tool_result') others.push(part);
    else if (answer(walk, part.tool_use_id)) results.push(part);
    else if (!takePlaceholder(walk, part) && !walk.calls.has(part.tool_use_id)) others.push(quote(part));
  }
  const parts: AnthropicPart[] = [...results];
  if (others.length > 0 && walk.open > 0) addPlaceholders(walk, parts);
  parts.push(...others);
  return parts;
}

function takePlaceholder(walk: Walk, result: ResultPart): boolean {
  const placeholder = walk.placeholders.get(result.tool_use_id);
  if (placeholder === undefined) return false;
  placeholder.parts[placeholder.index] = result;
  walk.placeholders.delete(result.tool_use_id);
  return true;
}

function closeOpenCalls(walk: Walk, index: number): void {
  const output = outputFrom(walk, index);
  const content: AnthropicPart[] = [];
  addPlaceholders(walk, content);
  output.push({ role: 'user', content });
}

function addPlaceholders(walk: Walk, parts: AnthropicPart[]): void {
  for (const [id, answered] of walk.calls) {
    if (answered) continue;
    walk.placeholders.set(id, { parts, index: parts.length });
    walk.calls.set(id, true);
    parts.push({ type: 'tool_result', tool_use_id: id, content: 'No result was recorded.', is_error: true });
  }
  walk.open = 0;
}

function quote(result: ResultPart): AnthropicPart {
  return { type: 'text', text: `A result whose call is not in this history:\n${result.content}` };
}
