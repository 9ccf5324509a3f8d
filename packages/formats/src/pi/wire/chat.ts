import { textAt, type JsonObject } from '../../json.ts';
import type { AgentMessage } from '../entries.ts';
import type { Model } from '../model.ts';
import {
  answerBlocks,
  blocksOf,
  callId,
  dataUrl,
  isBlank,
  isImage,
  isText,
  joinedText,
  type Said,
  type WireMessage,
} from './said.ts';

/** Messages of the Chat Completions API. Images of results follow them in a message of the user. */
export function toChat(said: readonly Said[], model: Model): WireMessage[] {
  return said.flatMap(({ message, places }) => wireOf(message, model).map((wire) => ({ message: wire, places })));
}

function wireOf(message: AgentMessage, model: Model): JsonObject[] {
  if (message['role'] === 'toolResult') return resultOf(message);
  if (message['role'] === 'assistant') return answerOf(message, model);
  if (typeof message['content'] === 'string') return [{ role: 'user', content: message['content'] }];
  const content = blocksOf(message).map(userPart);
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function userPart(block: JsonObject): JsonObject {
  if (isText(block)) return { type: 'text', text: block['text'] };
  return isImage(block) ? { type: 'image_url', image_url: { url: dataUrl(block) } } : block;
}

function answerOf(message: AgentMessage, model: Model): JsonObject[] {
  const blocks = answerBlocks(message, model);
  const text = blocks
    .filter((block) => isText(block) && !isBlank(block))
    .map((block) => textAt(block, 'text') ?? '')
    .join('');
  const calls = blocks.filter(({ type }) => type === 'toolCall').map(callOf);
  if (text === '' && calls.length === 0) return [];
  const content = text === '' ? null : text;
  return [
    { role: 'assistant', content, ...reasoningField(blocks), ...(calls.length === 0 ? {} : { tool_calls: calls }) },
  ];
}

/** Reasoning goes back under the name of the field that it came in. */
function reasoningField(blocks: readonly JsonObject[]): JsonObject {
  const thoughts = blocks.filter((block) => block['type'] === 'thinking' && textAt(block, 'thinking')?.trim());
  const field = textAt(thoughts[0], 'thinkingSignature');
  if (!field || !/^[a-z_]+$/.test(field)) return {};
  return { [field]: thoughts.map((block) => textAt(block, 'thinking') ?? '').join('\n') };
}

const callOf = (block: JsonObject): JsonObject => ({
  id: callId(textAt(block, 'id')),
  type: 'function',
  function: { name: block['name'], arguments: JSON.stringify(block['arguments'] ?? {}) },
});

function resultOf(message: AgentMessage): JsonObject[] {
  const images = blocksOf(message).filter(isImage);
  const content = joinedText(message) || (images.length > 0 ? '(see attached image)' : '');
  const result = { role: 'tool', content, tool_call_id: callId(textAt(message, 'toolCallId')) };
  if (images.length === 0) return [result];
  return [result, { role: 'user', content: images.map(userPart) }];
}
