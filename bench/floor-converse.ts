import { answer, endTurn, openCall, type Calls } from './floor-calls.ts';
import type { ConverseMessage, ConversePart } from './wire-shapes.ts';

/** Roles alternate, results stand alone in the message behind their calls, and nothing stands behind a call. */
export function checkConverse(messages: readonly ConverseMessage[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  let last = '';
  for (const { role, content } of messages) {
    if (content.length === 0) {
      faults += 1;
      continue;
    }
    if (role === last) faults += 1;
    last = role;
    if (role === 'assistant') {
      faults += endTurn(calls);
      for (const { toolUse } of content) {
        if (toolUse !== undefined) faults += openCall(calls, toolUse.toolUseId);
        else if (calls.size > 0) faults += 1;
      }
    } else {
      faults += checkUser(calls, content) + endTurn(calls);
    }
  }
  return faults + endTurn(calls);
}

function checkUser(calls: Calls, content: readonly ConversePart[]): number {
  let faults = 0;
  let results = 0;
  for (const { toolResult } of content) {
    if (toolResult === undefined) continue;
    faults += answer(calls, toolResult.toolUseId);
    results += 1;
  }
  return results > 0 && results < content.length ? faults + 1 : faults;
}

type Result = NonNullable<ConversePart['toolResult']>;

type Walk = {
  readonly messages: readonly ConverseMessage[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: ConverseMessage[] | undefined;
  /** Calls of the turn by id, and whether each was answered. */
  readonly calls: Map<string, boolean>;
  open: number;
  /** Parts of ours, so that a real result which comes later can take their place. */
  readonly placeholders: Map<string, ConversePart>;
};

export function minimalRepairConverse(messages: readonly ConverseMessage[]): readonly ConverseMessage[] {
  const walk: Walk = { messages, output: undefined, calls: new Map(), open: 0, placeholders: new Map() };
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.content.length === 0) outputFrom(walk, index);
    else if (message.role === 'assistant') visitAssistant(walk, message, index);
    else visitUser(walk, message, index);
  }
  if (walk.open > 0) closeOpenCalls(walk, messages.length);
  return walk.output ?? messages;
}

function outputFrom(walk: Walk, index: number): ConverseMessage[] {
  walk.output ??= walk.messages.slice(0, index);
  return walk.output;
}

/** Adds a message. Two of one role become one; the assistant speaks between results and what the user says. */
function add(walk: Walk, message: ConverseMessage, index: number): void {
  const last = walk.output === undefined ? walk.messages[index - 1] : walk.output.at(-1);
  if (last === undefined || last.role !== message.role) {
    walk.output?.push(message);
    return;
  }
  const output = outputFrom(walk, index);
  if (holdsResults(last) === holdsResults(message)) {
    output[output.length - 1] = { ...last, content: [...last.content, ...message.content] };
  } else {
    output.push({ role: 'assistant', content: [{ text: 'ok' }] }, message);
  }
}

function holdsResults({ content }: ConverseMessage): boolean {
  return content.some(({ toolResult }) => toolResult !== undefined);
}

function visitAssistant(walk: Walk, message: ConverseMessage, index: number): void {
  if (walk.open > 0) closeOpenCalls(walk, index);
  walk.calls.clear();
  for (const { toolUse } of message.content) if (toolUse !== undefined) walk.calls.set(toolUse.toolUseId, false);
  walk.open = walk.calls.size;
  add(walk, message, index);
}

function visitUser(walk: Walk, message: ConverseMessage, index: number): void {
  const { content } = message;
  let results = 0;
  for (let at = 0; at < content.length; at += 1) {
    const result = content[at]?.toolResult;
    // Text may not share a message with results, nor come before those that are still missing.
    const isFine = result === undefined ? results === 0 && walk.open === 0 : results === at && accept(walk, result);
    if (!isFine) {
      outputFrom(walk, index);
      for (const part of divideFrom(walk, content, at)) add(walk, { ...message, content: part }, index);
      return;
    }
    if (result !== undefined) results += 1;
  }
  add(walk, message, index);
}

function accept(walk: Walk, { toolUseId: id }: Result): boolean {
  if (walk.calls.get(id) !== false) return false;
  walk.calls.set(id, true);
  walk.open -= 1;
  return true;
}

/** Divides what the user sent, of which the parts before `start` are in order, into results and everything else. */
function divideFrom(walk: Walk, content: readonly ConversePart[], start: number): ConversePart[][] {
  const results = content.slice(0, start).filter(({ toolResult }) => toolResult !== undefined);
  const others = content.slice(0, start).filter(({ toolResult }) => toolResult === undefined);
  for (const part of content.slice(start)) {
    const result = part.toolResult;
    if (result === undefined) others.push(part);
    else if (accept(walk, result)) results.push(part);
    else if (!takePlaceholder(walk, result) && !walk.calls.has(result.toolUseId)) others.push(quote(result));
  }
  if (others.length > 0 && walk.open > 0) addPlaceholders(walk, results);
  return [results, others].filter((parts) => parts.length > 0);
}

function takePlaceholder(walk: Walk, result: Result): boolean {
  const placeholder = walk.placeholders.get(result.toolUseId);
  if (placeholder === undefined) return false;
  placeholder.toolResult = result;
  walk.placeholders.delete(result.toolUseId);
  return true;
}

function closeOpenCalls(walk: Walk, index: number): void {
  const content: ConversePart[] = [];
  addPlaceholders(walk, content);
  outputFrom(walk, index);
  add(walk, { role: 'user', content }, index);
}

function addPlaceholders(walk: Walk, parts: ConversePart[]): void {
  for (const [id, answered] of walk.calls) {
    if (answered) continue;
    const text = 'No result was recorded.';
    const placeholder: ConversePart = { toolResult: { toolUseId: id, content: [{ text }], status: 'error' } };
    walk.placeholders.set(id, placeholder);
    walk.calls.set(id, true);
    parts.push(placeholder);
  }
  walk.open = 0;
}

function quote({ content }: Result): ConversePart {
  const text = content.map((part) => part.text).join('\n');
  return { text: `A result whose call is not in this history:\n${text}` };
}
