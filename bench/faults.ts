import type { BenchDialect } from './dialects.ts';

type Fields = Readonly<Record<string, unknown>>;
type Turn = { role: unknown; parts: Fields[] };

/**
 * Counts what a provider would refuse in a history, for the output of any candidate. It is written for plainness, apart
 * from the floors, so that the two can be held against each other.
 */
export function countFaults(messages: readonly unknown[], dialect: BenchDialect): number {
  return counters[dialect](messages.map(fields));
}

const counters: Record<BenchDialect, (messages: readonly Fields[]) => number> = {
  'anthropic-messages': anthropicFaults,
  'openai-chat': openAiFaults,
  'openai-responses': responsesFaults,
  gemini: geminiFaults,
  'bedrock-converse': converseFaults,
  'mistral-chat': mistralFaults,
};

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function anthropicFaults(messages: readonly Fields[]): number {
  let faults = 0;
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    faults += parts.length === 0 ? 1 : parts.filter((part) => part.type === 'text' && isBlank(part.text)).length;
    const turn = turns.at(-1);
    if (parts.length === 0) continue;
    if (turn !== undefined && turn.role === role) turn.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  }
  turns.forEach((turn, index) => {
    if (turn.role === 'assistant') faults += callFaults(turn.parts);
    else faults += orderFaults(turn.parts);
    if (turn.role === 'assistant') faults += pairFaults(idsOf(turn, 'tool_use'), resultIds(turns[index + 1]));
    else if (index === 0) faults += resultIds(turn).length;
  });
  return faults;
}

function idsOf(turn: Turn, type: string): unknown[] {
  return turn.parts.filter((part) => part.type === type).map((part) => part.id);
}

function resultIds(turn: Turn | undefined): unknown[] {
  return turn?.parts.filter((part) => part.type === 'tool_result').map((part) => part.tool_use_id) ?? [];
}

/** After the first call of an assistant turn only calls may follow. */
function callFaults(parts: readonly Fields[]): number {
  const first = parts.findIndex((part) => part.type === 'tool_use');
  return first === -1 ? 0 : parts.slice(first).filter((part) => part.type !== 'tool_use').length;
}

/** In a user turn the results come before everything else. */
function orderFaults(parts: readonly Fields[]): number {
  const firstOther = parts.findIndex((part) => part.type !== 'tool_result');
  return firstOther === -1 ? 0 : parts.slice(firstOther).filter((part) => part.type === 'tool_result').length;
}

/** Unanswered calls, results without a call, second results of one call, and ids given to two calls. */
function pairFaults(calls: readonly unknown[], results: readonly unknown[]): number {
  const called = new Set(calls);
  const answered = new Set(results);
  const unanswered = [...called].filter((id) => !answered.has(id)).length;
  const orphans = results.filter((id) => !called.has(id)).length;
  const secondResults = results.filter((id) => called.has(id)).length - (called.size - unanswered);
  return unanswered + orphans + secondResults + (calls.length - called.size);
}

function openAiFaults(messages: readonly Fields[]): number {
  let faults = 0;
  for (let index = 0; index < messages.length;) {
    const message = messages[index] ?? {};
    const calls = list(message.tool_calls);
    let end = index + 1;
    while (messages[end]?.role === 'tool') end += 1;
    const results = messages.slice(message.role === 'tool' ? index : index + 1, end);
    faults += pairFaults(
      calls.map((call) => call.id),
      results.map((result) => result.tool_call_id),
    );
    const isEmpty = typeof message.content !== 'string' && list(message.content).length === 0;
    if (isEmpty && calls.length === 0) faults += 1;
    index = end;
  }
  return faults;
}

/** As in openai-chat; moreover an empty text is no content, the user does not follow a tool, and ids have a form. */
function mistralFaults(messages: readonly Fields[]): number {
  let faults = openAiFaults(messages);
  messages.forEach((message, index) => {
    const calls = list(message.tool_calls);
    if (message.role === 'assistant' && calls.length === 0 && message.content === '') faults += 1;
    if (message.role === 'user' && messages[index - 1]?.role === 'tool') faults += 1;
    faults += calls.filter(({ id }) => !/^[A-Za-z0-9]{9}$/u.test(String(id))).length;
  });
  return faults;
}

/** Pairs stand anywhere, the call first; ids that the provider gave are given once. */
function responsesFaults(items: readonly Fields[]): number {
  const calls = items.filter(({ type }) => type === 'function_call').map((call) => call.call_id);
  const results = items.filter(({ type }) => type === 'function_call_output').map((result) => result.call_id);
  const messages = items.filter(({ type = 'message' }) => type === 'message');
  const ids = items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const empty = messages.filter(({ content }) => typeof content !== 'string' && !Array.isArray(content)).length;
  return pairFaults(calls, results) + earlyResults(items) + empty + (ids.length - new Set(ids).size);
}

function earlyResults(items: readonly Fields[]): number {
  const called = new Set(items.filter(({ type }) => type === 'function_call').map((call) => call.call_id));
  let early = 0;
  for (const { type, call_id: id } of items) {
    if (type === 'function_call') called.delete(id);
    else if (type === 'function_call_output' && called.has(id)) early += 1;
  }
  return early;
}

/** Neighbours of one role are one turn; a turn with calls is followed by one that answers each of them once. */
function geminiFaults(contents: readonly Fields[]): number {
  const turns: Turn[] = [];
  let faults = 0;
  for (const { role, parts: written } of contents) {
    const parts = list(written);
    const turn = turns.at(-1);
    if (parts.length === 0) faults += 1;
    else if (turn !== undefined && turn.role === role) turn.parts.push(...parts);
    else turns.push({ role, parts });
  }
  turns.forEach((turn, index) => {
    const answers = idsWithin(turns[index + 1]?.parts, 'functionResponse');
    if (turn.role === 'model') faults += pairFaults(idsWithin(turn.parts, 'functionCall'), answers);
    else if (index === 0) faults += idsWithin(turn.parts, 'functionResponse').length;
  });
  return faults;
}

/** The ids of the parts of one kind, where a part holds what it is under the name of its kind. */
function idsWithin(parts: readonly Fields[] | undefined, kind: string): unknown[] {
  return (parts ?? []).filter((part) => part[kind] !== undefined).map((part) => idIn(fields(part[kind])));
}

function idIn({ id, toolUseId }: Fields): unknown {
  return id ?? toolUseId;
}

/** Roles alternate, the message behind calls holds their results and nothing else, and text says something. */
function converseFaults(messages: readonly Fields[]): number {
  let faults = 0;
  messages.forEach(({ role, content }, index) => {
    const parts = list(content);
    const results = idsWithin(parts, 'toolResult');
    const firstCall = parts.findIndex((part) => part.toolUse !== undefined);
    if (parts.length === 0 || messages[index - 1]?.role === role) faults += 1;
    if (results.length > 0 && results.length < parts.length) faults += 1;
    if (firstCall !== -1) faults += parts.slice(firstCall).filter((part) => part.toolUse === undefined).length;
    faults += parts.filter((part) => part.text !== undefined && isBlank(part.text)).length;
    const next = list(messages[index + 1]?.content);
    faults += pairFaults(idsWithin(parts, 'toolUse'), role === 'assistant' ? idsWithin(next, 'toolResult') : []);
    if (messages[index - 1]?.role !== 'assistant') faults += results.length;
  });
  return faults;
}
