import type { Dialect } from '@rethread/core';

import { isObject, listAt, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Said } from '../pi/wire/said.ts';
import { toGemini } from '../pi/wire/gemini.ts';
import { toResponses } from '../pi/wire/responses.ts';
import type { Place } from '../place.ts';
import { joinTurns, type WireMessage } from '../wire/wire-message.ts';

/** A message of the history with its parts. */
export type Spoken = {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly JsonObject[];
  readonly calls: readonly JsonObject[];
  readonly answers?: string;
  /** The tool whose result this is. */
  readonly name?: string;
  readonly isError?: boolean;
  readonly places: readonly Place[];
};

/** The APIs by the types of providers. Most of them speak Chat Completions. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  openai_responses: 'openai-responses',
  'openai-responses': 'openai-responses',
  'google-genai': 'gemini',
  google_genai: 'gemini',
  vertexai: 'gemini',
};

export const dialectOf = (provider: string | undefined): Dialect =>
  (provider !== undefined && Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] : undefined) ?? 'openai-chat';

export function toWire(spoken: readonly Spoken[], dialect: Dialect): WireMessage[] {
  if (dialect === 'anthropic-messages') return toAnthropic(spoken);
  if (dialect === 'openai-chat') return spoken.flatMap(chatMessage);
  const said = spoken.map(inPlainWords);
  return dialect === 'gemini' ? toGemini(said, {}) : toResponses(said, {});
}

const ERROR = '<system>ERROR: Tool execution failed.</system>';
const EMPTY = '<system>Tool output is empty.</system>';

/** The parts of a result as the model sees them: with what the program says of its end, and of its time. */
export function resultParts(result: JsonObject | undefined, name: string | undefined): JsonObject[] {
  const output = result?.['output'];
  const held = Array.isArray(output)
    ? output.filter(isObject)
    : [{ type: 'text', text: textAt(result, 'output') ?? '' }];
  const isFailed = result?.['isError'] === true;
  const milliseconds = name === 'Bash' ? numberAt(result, 'durationMs') : undefined;
  const time = milliseconds === undefined ? '' : `Wall time: ${(milliseconds / 1000).toFixed(3)} seconds\n`;
  const note = textAt(result, 'note');
  const [only] = held;
  if (held.length !== 1 || only?.['type'] !== 'text') {
    return [...(isFailed ? [asText(ERROR)] : []), ...held, ...(note === undefined ? [] : [asText(note)])];
  }
  const text = textAt(only, 'text') ?? '';
  const shown = isFailed ? `${ERROR}\n${text}` : text.trim() === '' ? EMPTY : text;
  return [asText(`${time}${shown}${note ? `\n${note}` : ''}`)];
}

const asText = (text: string): JsonObject => ({ type: 'text', text });

const argumentsOf = (call: JsonObject): JsonObject => {
  const args = call['args'] ?? parseJson(textAt(call, 'arguments') ?? '');
  return isObject(args) ? args : {};
};

const urlIn = (part: JsonObject): string =>
  textAt(objectAt(part, 'imageUrl') ?? objectAt(part, 'image_url'), 'url') ?? '';

const isBlank = (part: JsonObject): boolean => part['type'] === 'text' && (textAt(part, 'text') ?? '').trim() === '';

function toAnthropic(spoken: readonly Spoken[]): WireMessage[] {
  const wire = spoken.map((each) => ({
    message: { role: each.role === 'assistant' ? 'assistant' : 'user', content: blocks(each) },
    places: each.places,
  }));
  const joined: WireMessage[] = [];
  for (const each of wire) {
    // Users are joined; answers in a row stay as they are.
    const last = joined.at(-1);
    if (last === undefined || each.message.role === 'assistant') joined.push(each);
    else joined.splice(-1, 1, ...joinTurns([last, each], 'content'));
  }
  return joined.filter(({ message }) => (message['content'] as readonly unknown[]).length > 0);
}

function blocks({ role, parts, calls, answers }: Spoken): JsonObject[] {
  const content = parts.filter((part) => !isBlank(part)).flatMap(block);
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: answers ?? '', content }];
  const made = calls.map((call) => ({
    type: 'tool_use',
    id: textAt(call, 'toolCallId') ?? textAt(call, 'id') ?? '',
    name: textAt(call, 'name') ?? '',
    input: argumentsOf(call),
  }));
  return [...content, ...made];
}

function block(part: JsonObject): JsonObject[] {
  if (part['type'] === 'text') return [asText(textAt(part, 'text') ?? '')];
  if (part['type'] === 'think') {
    return [
      { type: 'thinking', thinking: textAt(part, 'think') ?? '', ...optional('signature', textAt(part, 'encrypted')) },
    ];
  }
  const [, type, data] = /^data:([^;,]*);base64,(.*)$/s.exec(urlIn(part)) ?? [];
  if (part['type'] !== 'image_url') return [];
  const source = data === undefined ? { type: 'url', url: urlIn(part) } : { type: 'base64', media_type: type, data };
  return [{ type: 'image', source }];
}

function chatMessage({ role, parts, calls, answers, places }: Spoken): WireMessage[] {
  const content = parts.filter((part) => part['type'] !== 'think' && !isBlank(part));
  const shown = contentOf(content);
  if (role === 'tool') return [{ message: { role: 'tool', tool_call_id: answers ?? '', content: shown }, places }];
  if (role === 'user') return content.length === 0 ? [] : [{ message: { role: 'user', content: shown }, places }];
  const reasoning = parts.map((part) => textAt(part, 'think') ?? '').join('');
  const tool_calls = calls.map((call) => ({
    id: textAt(call, 'toolCallId') ?? textAt(call, 'id') ?? '',
    type: 'function',
    function: { name: textAt(call, 'name') ?? '', arguments: JSON.stringify(argumentsOf(call)) },
  }));
  const message = {
    role: 'assistant',
    content: content.length === 0 ? null : shown,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  return [{ message, places }];
}

/** One text is sent as it is, and several parts as a list. */
function contentOf(parts: readonly JsonObject[]): unknown {
  const [only] = parts;
  if (parts.length === 1 && only?.['type'] === 'text') return textAt(only, 'text') ?? '';
  return parts.map((part) =>
    part['type'] === 'text'
      ? asText(textAt(part, 'text') ?? '')
      : { type: 'image_url', image_url: { url: urlIn(part) } },
  );
}

/** A message in the words that several tools share. */
function inPlainWords({ role, parts, calls, answers, name, isError, places }: Spoken): Said {
  const content = [
    ...parts.map((part) => (part['type'] === 'think' ? { type: 'thinking', thinking: part['think'] } : part)),
    ...calls.map((call) => ({
      type: 'toolCall',
      id: textAt(call, 'toolCallId') ?? textAt(call, 'id') ?? '',
      name: call['name'],
      arguments: argumentsOf(call),
    })),
  ];
  if (role !== 'tool') return { message: { role, content }, places };
  const result = { role: 'toolResult', toolCallId: answers, toolName: name, content, isError: isError === true };
  return { message: result, places };
}

export const callsOf = (message: JsonObject): readonly JsonObject[] => listAt(message, 'toolCalls').filter(isObject);
