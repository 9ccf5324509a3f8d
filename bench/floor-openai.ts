import { answer, endTurn, openCall, type Calls } from './floor-calls.ts';
import type { OpenAiMessage } from './wire-shapes.ts';

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
  /** What the assistant says where the user may not speak right after a tool. */
  readonly pause: string | undefined;
};

/** Pairs calls and results; with a pause also for an API in which the user may not speak right after a tool. */
export function minimalRepairOpenAi(messages: readonly OpenAiMessage[], pause?: string): readonly OpenAiMessage[] {
  const walk: Walk = {
    messages,
    output: undefined,
    calls: new Map(),
    open: 0,
    placeholders: new Map(),
    quotes: [],
    pause,
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
  if (calls === undefined && (message.content === null || message.content === '')) {
    outputFrom(walk, index);
    return;
  }
  if (walk.open > 0 || walk.quotes.length > 0) endResults(walk, index);
  walk.calls.clear();
  for (const call of calls ?? []) walk.calls.set(call.id, false);
  walk.open = walk.calls.size;
  if (message.role === 'user') pauseAfterTool(walk, index);
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
  if (walk.quotes.length > 0) pauseAfterTool(walk, index);
  output.push(...walk.quotes);
  walk.quotes.length = 0;
}

function pauseAfterTool(walk: Walk, index: number): void {
  if (walk.pause === undefined) return;
  const last = walk.output === undefined ? walk.messages[index - 1] : walk.output.at(-1);
  if (last?.role === 'tool') outputFrom(walk, index).push({ role: 'assistant', content: walk.pause });
}

/** The pairing check for an API in which the user may not speak right after a tool. */
export function checkMistral(messages: readonly OpenAiMessage[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  let last = '';
  for (const message of messages) {
    if (message.role === 'tool') {
      faults += answer(calls, message.tool_call_id);
    } else {
      faults += endTurn(calls);
      if (message.role === 'user') faults += last === 'tool' ? 1 : 0;
      else if (message.tool_calls === undefined) faults += (message.content ?? '') === '' ? 1 : 0;
      else for (const call of message.tool_calls) faults += openCall(calls, call.id);
    }
    last = message.role;
  }
  return faults + endTurn(calls);
}
