import type { OpenAiMessage } from './histories.ts';

type Walk = {
  readonly messages: readonly OpenAiMessage[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: OpenAiMessage[] | undefined;
  /** Calls of the turn by id, and whether each was answered. */
  readonly calls: Map<string, boolean>;
  open: number;
  /** Where in the output a placeholder stands, so that a real result which comes later can take its place. */
  readonly placeholders: Map<string, number>;
  /** Results without a call, as user messages that wait for the end of the run of results. */
  readonly quotes: OpenAiMessage[];
};

export function minimalRepairOpenAi(messages: readonly OpenAiMessage[]): readonly OpenAiMessage[] {
  const walk: Walk = {
    messages,
    output: undefined,
    calls: new Map(),
    open: 0,
    placeholders: new Map(),
    quotes: [],
  };
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.role === 'tool') visitResult(walk, message, index);
    else visitOther(walk, message, index);
  }
  if (walk.open > 0 || walk.quotes.length > 0) endResults(walk, messages.length);
  return walk.output ?? messages;
}

function outputFrom(walk: Walk, index: number): OpenAiMessage[] {
  walk.output ??= walk.messages.slice(0, index);
  return walk.output;
}

function visitResult(walk: Walk, message: Extract<OpenAiMessage, { role: 'tool' }>, index: number): void {
  const id = message.tool_call_id;
  const answered = walk.calls.get(id);
  if (answered === false) {
    walk.calls.set(id, true);
    walk.open -= 1;
    walk.output?.push(message);
    return;
  }
  const output = outputFrom(walk, index);
  const placeholder = walk.placeholders.get(id);
  if (placeholder !== undefined) {
    output[placeholder] = message;
    walk.placeholders.delete(id);
  } else if (answered === undefined) {
    walk.quotes.push({ role: 'user', content: `A result whose call is not in this history:\n${message.content}` });
  }
}

function visitOther(walk: Walk, message: Exclude<OpenAiMessage, { role: 'tool' }>, index: number): void {
  const calls = message.role === 'assistant' ? message.tool_calls : undefined;
  if (calls === undefined && message.content === null) {
    outputFrom(walk, index);
    return;
  }
  if (walk.open > 0 || walk.quotes.length > 0) endResults(walk, index);
  walk.calls.clear();
  for (const call of calls ?? []) walk.calls.set(call.id, false);
  walk.open = walk.calls.size;
  walk.output?.push(message);
}

function endResults(walk: Walk, index: number): void {
  const output = outputFrom(walk, index);
  for (const [id, answered] of walk.calls) {
    if (answered) continue;
    walk.placeholders.set(id, output.length);
    walk.calls.set(id, true);
    output.push({ role: 'tool', tool_call_id: id, content: 'No result was recorded.' });
  }
  walk.open = 0;
  output.push(...walk.quotes);
  walk.quotes.length = 0;
}
