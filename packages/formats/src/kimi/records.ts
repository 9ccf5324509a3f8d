import { objectAt, textAt, type JsonObject } from '../json.ts';

const TYPES = new RegExp(
  `^(?:metadata|forked|config|context|cron|full_compaction|goal|interaction|interruptionReminder|llm|mcp|permission|
  plan|plan_mode|plugin|profile|prompt|runtime|staleGuard|swarm_mode|task|token_counting|tools|tower_mode|turn|usage|
  agent|session|hook)(?:\\.[\\w.]+)?$`.replace(/\s+/g, ''),
);

/** Types are known by the part of the program that they belong to: most of them are notes. */
export const isKnownType = (value: JsonObject): boolean => TYPES.test(textAt(value, 'type') ?? '');

/** Whether an object is a record of a log, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean =>
  isHeader(value) || (/^[a-z_]+\.[\w.]+$/i.test(textAt(value, 'type') ?? '') && typeof value['time'] === 'number');

export const isHeader = (value: JsonObject): boolean =>
  value['type'] === 'metadata' && textAt(value, 'protocol_version') !== undefined;

/** What happened in a step of the model: its beginning and end, a part of its answer, a call, or a result. */
export const loopEvent = (value: JsonObject): JsonObject | undefined =>
  value['type'] === 'context.append_loop_event' ? objectAt(value, 'event') : undefined;

export const appendedMessage = (value: JsonObject): JsonObject | undefined =>
  value['type'] === 'context.append_message' ? objectAt(value, 'message') : undefined;

/** A part that says nothing: an answer of nothing else is dropped. */
export const isVacuous = (part: JsonObject | undefined): boolean => {
  if (part?.['type'] === 'text') return (textAt(part, 'text') ?? '').trim() === '';
  return part?.['type'] === 'think' && part['encrypted'] === undefined && (textAt(part, 'think') ?? '').trim() === '';
};

/** The text of a summary, which stood as a message of its own in early versions. */
export function summaryOf(value: JsonObject): string {
  const message = objectAt(value, 'summary');
  return textAt(value, 'contextSummary') ?? textAt(value, 'summary') ?? textOf(message?.['content']);
}

export const textOf = (content: unknown): string =>
  (Array.isArray(content) ? content : []).map((part) => textAt(part, 'text') ?? '').join('');
