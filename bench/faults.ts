import type { BenchDialect } from './histories.ts';

type Fields = Readonly<Record<string, unknown>>;
type Turn = { role: unknown; parts: Fields[] };

/**
 * Counts what a provider would refuse in a history, for the output of any candidate. It is written for plainness, apart
 * from the floors, so that the two can be held against each other.
 */
export function countFaults(messages: readonly unknown[], dialect: BenchDialect): number {
  return dialect === 'anthropic-messages' ? anthropicFaults(messages.map(fields)) : openAiFaults(messages.map(fields));
}

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
