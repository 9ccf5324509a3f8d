import type { Dialect } from '@rethread/core';

import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import { joinTurns, type WireMessage } from '../wire/wire-message.ts';

/** A content of the Gemini API, in which the program keeps everything. */
export type Content = {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonObject[];
  readonly places: readonly Place[];
};

/** The APIs by what the program calls the ways to sign in. Most of them speak Chat Completions. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  'openai-responses': 'openai-responses',
  gemini: 'gemini',
  'vertex-ai': 'gemini',
};

export const dialectOf = (auth: string | undefined): Dialect =>
  (auth !== undefined && Object.hasOwn(DIALECTS, auth) ? DIALECTS[auth] : undefined) ?? 'openai-chat';

export function toWire(contents: readonly Content[], dialect: Dialect): WireMessage[] {
  if (dialect === 'anthropic-messages') return toAnthropic(contents);
  if (dialect === 'openai-responses') return contents.flatMap((content) => each(content, items(content)));
  if (dialect === 'openai-chat') return contents.flatMap((content) => each(content, chatMessages(content)));
  const spoken = contents.filter(({ parts }) => parts.length > 0);
  return joinTurns(
    spoken.map(({ role, parts, places }) => ({ message: { role, parts }, places })),
    'parts',
  );
}

const each = ({ places }: Content, messages: readonly JsonObject[]): WireMessage[] =>
  messages.map((message) => ({ message, places }));

const isThought = (part: JsonObject): boolean => part['thought'] === true;
const isSpoken = (part: JsonObject): boolean => !isThought(part) && (textAt(part, 'text') ?? '') !== '';

/** The output of a tool as a text; its error where it has one. */
function outputOf(part: JsonObject): { readonly id: unknown; readonly text: string; readonly isError: boolean } {
  const held = objectAt(part, 'functionResponse');
  const response = objectAt(held, 'response');
  const error = textAt(response, 'error');
  const text = textAt(response, 'output') ?? error ?? (response === undefined ? '' : JSON.stringify(response));
  return { id: held?.['id'] ?? '', text, isError: error !== undefined };
}

const callIn = (part: JsonObject): JsonObject | undefined => objectAt(part, 'functionCall');

function mediaIn(part: JsonObject): { readonly type: string; readonly data: string } | undefined {
  const held = objectAt(part, 'inlineData');
  const data = textAt(held, 'data');
  return data === undefined ? undefined : { type: textAt(held, 'mimeType') ?? '', data };
}

const urlOf = ({ type, data }: { readonly type: string; readonly data: string }): string =>
  `data:${type};base64,${data}`;

function toAnthropic(contents: readonly Content[]): WireMessage[] {
  const wire = contents.map(({ role, parts, places }) => ({
    message: { role: role === 'model' ? 'assistant' : 'user', content: parts.flatMap(block) },
    places,
  }));
  return joinTurns(
    wire.filter(({ message }) => message.content.length > 0),
    'content',
  );
}

function block(part: JsonObject): JsonObject[] {
  const [call, media] = [callIn(part), mediaIn(part)];
  if (call !== undefined) {
    return [{ type: 'tool_use', id: call['id'], name: call['name'], input: objectAt(call, 'args') ?? {} }];
  }
  if (Object.hasOwn(part, 'functionResponse')) {
    const { id, text, isError } = outputOf(part);
    return [{ type: 'tool_result', tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) }];
  }
  if (isThought(part)) {
    const signature = textAt(part, 'thoughtSignature');
    return [{ type: 'thinking', thinking: textAt(part, 'text') ?? '', ...optional('signature', signature) }];
  }
  if (media !== undefined) {
    const source = { type: 'base64', media_type: media.type, data: media.data };
    return [{ type: media.type.startsWith('image/') ? 'image' : 'document', source }];
  }
  return isSpoken(part) ? [{ type: 'text', text: part['text'] }] : [];
}

/** Items of the Responses API. Reasoning without its seal goes back as text. */
function items({ role, parts }: Content): JsonObject[] {
  if (role === 'model') return parts.flatMap(answerItem);
  const outputs = parts
    .filter((part) => Object.hasOwn(part, 'functionResponse'))
    .map((part) => {
      const { id, text } = outputOf(part);
      return { type: 'function_call_output', call_id: id, output: text };
    });
  const content = parts.flatMap((part): JsonObject[] => {
    const media = mediaIn(part);
    if (media !== undefined) return [{ type: 'input_image', image_url: urlOf(media) }];
    return isSpoken(part) ? [{ type: 'input_text', text: part['text'] }] : [];
  });
  return [...outputs, ...(content.length === 0 ? [] : [{ type: 'message', role: 'user', content }])];
}

function answerItem(part: JsonObject): JsonObject[] {
  const call = callIn(part);
  if (call !== undefined) {
    const args = JSON.stringify(objectAt(call, 'args') ?? {});
    return [{ type: 'function_call', call_id: call['id'], name: call['name'], arguments: args }];
  }
  const text = textAt(part, 'text') ?? '';
  return text === '' ? [] : [{ type: 'message', role: 'assistant', content: text }];
}

/** Messages of Chat Completions. Reasoning goes back in a field of its own. */
function chatMessages({ role, parts }: Content): JsonObject[] {
  if (role === 'model') return answer(parts);
  const results = parts
    .filter((part) => Object.hasOwn(part, 'functionResponse'))
    .map((part) => {
      const { id, text } = outputOf(part);
      return { role: 'tool', tool_call_id: id, content: text };
    });
  const content = parts.flatMap((part): JsonObject[] => {
    const media = mediaIn(part);
    if (media !== undefined) return [{ type: 'image_url', image_url: { url: urlOf(media) } }];
    return isSpoken(part) ? [{ type: 'text', text: part['text'] }] : [];
  });
  return [...results, ...(content.length === 0 ? [] : [{ role: 'user', content }])];
}

function answer(parts: readonly JsonObject[]): JsonObject[] {
  const joined = (wanted: (part: JsonObject) => boolean): string =>
    parts
      .filter((part) => callIn(part) === undefined && wanted(part))
      .map((part) => textAt(part, 'text') ?? '')
      .join('');
  const [text, reasoning] = [joined(isSpoken), joined(isThought)];
  const calls = parts.flatMap((part) => {
    const call = callIn(part);
    const args = JSON.stringify(objectAt(call, 'args') ?? {});
    return call === undefined
      ? []
      : [{ id: call['id'], type: 'function', function: { name: call['name'], arguments: args } }];
  });
  if (text === '' && reasoning === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}
