import type { OpenAiMessage } from './histories.ts';

type Walk = {
  readonly messages: readonly OpenAiMessage[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: OpenAiMessage[] | undefined;
  /** Overwritten from turn to turn: emptying a list would make V8 allocate it anew. */
  readonly calls: string[];
  readonly answered: boolean[];
  count: number;
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
    calls: [],
    answered: [],
    count: 0,
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
  const call = indexOfCall(walk, id);
  if (call !== -1 && walk.answered[call] === false) {
    walk.answered[call] = true;
    walk.open -= 1;
    walk.output?.push(message);
    return;
  }
  const output = outputFrom(walk, index);
  const placeholder = walk.placeholders.get(id);
  if (placeholder !== undefined) {
    output[placeholder] = message;
    walk.placeholders.delete(id);
  } else if (call === -1) {
    walk.quotes.push({ role: 'user', content: `A result whose call is not in this history:\n${message.content}` });
  }
}

function indexOfCall(walk: Walk, id: string): number {
  for (let index = 0; index < walk.count; index += 1) if (walk.calls[index] === id) return index;
  return -1;
}

function visitOther(walk: Walk, message: Exclude<OpenAiMessage, { role: 'tool' }>, index: number): void {
  const calls = message.role === 'assistant' ? message.tool_calls : undefined;
  if (calls === undefined && message.content === null) {
    outputFrom(walk, index);
    return;
  }
  if (walk.open > 0 || walk.quotes.length > 0) endResults(walk, index);
  walk.count = 0;
  if (calls !== undefined) {
    for (const call of calls) {
      walk.calls[walk.count] = call.id;
      walk.answered[walk.count] = false;
      walk.count += 1;
    }
  }
  walk.open = walk.count;
  walk.output?.push(message);
}

function endResults(walk: Walk, index: number): void {
  const output = outputFrom(walk, index);
  for (const [call, id] of walk.calls.slice(0, walk.count).entries()) {
    if (walk.answered[call] === true) continue;
    walk.placeholders.set(id, output.length);
    walk.answered[call] = true;
    output.push({ role: 'tool', tool_call_id: id, content: 'No result was recorded.' });
  }
  walk.open = 0;
  output.push(...walk.quotes);
  walk.quotes.length = 0;
}
