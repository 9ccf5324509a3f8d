import { isObject, objectAt, textAt, type JsonObject } from '../json.ts';

const KINDS =
  /^(?:session|user|assistant|tool|hook|subagent|system|skill|permission|mcp|abort|external_tool|command)\b/;

/** Whether an object is an event, and not a part of one that was torn. */
export const isEvent = (value: JsonObject): boolean =>
  objectAt(value, 'data') !== undefined && KINDS.test(textAt(value, 'type') ?? '');

export const isStart = (value: JsonObject): boolean => value['type'] === 'session.start' && isEvent(value);

/** A session of 2025: what was sent, and what the screen showed. */
export const isDocument = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textAt(value, 'sessionId') !== undefined &&
  Array.isArray(value['chatMessages']) &&
  Array.isArray(value['timeline']);

/** Events of subagents stand in the log of the session that started them. */
export const isSidechain = (event: JsonObject): boolean => {
  const data = objectAt(event, 'data');
  return textAt(event, 'agentId') !== undefined || textAt(data, 'parentToolCallId') !== undefined;
};
