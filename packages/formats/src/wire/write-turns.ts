import type { Dialect } from '@rethread/core';

import type { JsonObject } from '../json.ts';
import { apart, reasoningIn, textIn, urlOf, type Media, type Part, type Turn } from './turn.ts';
import { joinTurns, type WireMessage } from './wire-message.ts';

/** Writes turns in the words of an API, as its usual client libraries do. */
export function writeTurns(turns: readonly Turn[], dialect: Dialect): WireMessage[] {
  switch (dialect) {
    case 'anthropic-messages':
      return toAnthropic(turns);
    case 'gemini':
      return toGemini(turns);
    case 'openai-responses':
      return turns.flatMap((turn) => each(turn, items(turn)));
    default:
      return turns.flatMap((turn) => each(turn, chatMessages(turn)));
  }
}

const each = ({ places }: Turn, messages: readonly JsonObject[]): WireMessage[] =>
  messages.map((message) => ({ message, places }));

/** Messages of one side in a row are one message. Reasoning without its seal is left out. */
function toAnthropic(turns: readonly Turn[]): WireMessage[] {
  const wire = turns.map(({ role, parts, places }) => ({ message: { role, content: parts.flatMap(block) }, places }));
  return joinTurns(
    wire.filter(({ message }) => message.content.length > 0),
    'content',
  );
}

function block(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.seal === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature: part.seal }];
    case 'call':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }];
    case 'media':
      return [mediaBlock(part)];
    case 'result': {
      const { id, text, isError, media = [] } = part;
      const content =
        media.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text', text }]), ...media.map(mediaBlock)];
      return [{ type: 'tool_result', tool_use_id: id, content, ...(isError === true ? { is_error: true } : {}) }];
    }
  }
}

function mediaBlock(media: Media): JsonObject {
  const { type, data, url } = media;
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
  return { type: type.startsWith('image/') ? 'image' : 'document', source };
}

/** Items of the Responses API, without ids: the provider stores nothing. */
function items({ role, parts }: Turn): JsonObject[] {
  const { results, rest } = apart(parts);
  const outputs = results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }));
  if (role === 'assistant') return [...rest.flatMap(answerItem), ...outputs];
  const content = rest.flatMap((part): JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'input_text', text: part.text }];
    return part.kind === 'media' ? [{ type: 'input_image', image_url: urlOf(part) }] : [];
  });
  return [...outputs, ...(content.length === 0 ? [] : [{ role: 'user', content }])];
}

function answerItem(part: Part): JsonObject[] {
  if (part.kind === 'text') return [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
  if (part.kind === 'call') {
    return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: JSON.stringify(part.input) }];
  }
  if (part.kind !== 'reasoning' || part.seal === undefined) return [];
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  return [{ type: 'reasoning', summary, encrypted_content: part.seal }];
}

/** Messages of Chat Completions. Results come before what else a user says. */
function chatMessages({ role, parts }: Turn): JsonObject[] {
  const { results, rest } = apart(parts);
  const told = results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
  if (role === 'assistant') return [...answer(rest), ...told];
  const content = rest.flatMap((part): JsonObject[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    return part.kind === 'media' ? [{ type: 'image_url', image_url: { url: urlOf(part) } }] : [];
  });
  const [only] = content;
  const shown = content.length === 1 && only?.['type'] === 'text' ? only['text'] : content;
  return [...told, ...(content.length === 0 ? [] : [{ role: 'user', content: shown }])];
}

function answer(parts: readonly Part[]): JsonObject[] {
  const [text, reasoning] = [textIn(parts), reasoningIn(parts)];
  const calls = parts.flatMap((part) =>
    part.kind === 'call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) } }]
      : [],
  );
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

/** Contents of the Gemini API. Contents of one side in a row are one. */
function toGemini(turns: readonly Turn[]): WireMessage[] {
  const wire = turns.map(({ role, parts, places }) => ({
    message: { role: role === 'assistant' ? 'model' : 'user', parts: parts.flatMap(geminiPart) },
    places,
  }));
  return joinTurns(
    wire.filter(({ message }) => message.parts.length > 0),
    'parts',
  );
}

function geminiPart(part: Part): JsonObject[] {
  const sealed = 'seal' in part && part.seal !== undefined ? { thoughtSignature: part.seal } : {};
  switch (part.kind) {
    case 'text':
      return [{ text: part.text }];
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true, ...sealed }];
    case 'call':
      return [{ functionCall: { id: part.id, name: part.name, args: part.input }, ...sealed }];
    case 'media':
      return [{ inlineData: { mimeType: part.type, data: part.data ?? '' } }];
    case 'result': {
      const response = part.isError === true ? { error: part.text } : { output: part.text };
      return [{ functionResponse: { id: part.id, name: part.name, response } }];
    }
  }
}
