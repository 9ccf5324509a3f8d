import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts';
import type { AgentMessage } from '../entries.ts';
import { isOwn, type Model } from '../model.ts';
import { answerBlocks, blocksOf, isBlank, isImage, isText, joinedText, type Said, type WireMessage } from './said.ts';

/** Messages of the Anthropic API. Results in a row are one message of the user. */
export function toAnthropic(said: readonly Said[], model: Model): WireMessage[] {
  const wire: WireMessage[] = [];
  const foreign = foreignIds(said, model);
  for (const { message, places } of said) {
    const content = contentOf(message, { model, foreign });
    if (content.length === 0) continue;
    const isResult = message['role'] === 'toolResult';
    const last = wire.at(-1);
    if (isResult && last !== undefined && holdsResults(last)) {
      const both = [...(last.message['content'] as readonly unknown[]), ...content];
      wire[wire.length - 1] = { message: { role: 'user', content: both }, places: [...last.places, ...places] };
    } else {
      wire.push({ message: { role: message['role'] === 'assistant' ? 'assistant' : 'user', content }, places });
    }
  }
  return wire;
}

const holdsResults = ({ message: { content } }: WireMessage): boolean =>
  Array.isArray(content) && content.every((block) => isObject(block) && block['type'] === 'tool_result');

type Context = { readonly model: Model; readonly foreign: ReadonlySet<string> };

/** The ids of calls that other models made: those may hold characters that this API refuses. */
function foreignIds(said: readonly Said[], model: Model): ReadonlySet<string> {
  const others = said.filter(({ message }) => message['role'] === 'assistant' && !isOwn(message, model));
  return new Set(others.flatMap(({ message }) => blocksOf(message).flatMap((block) => textAt(block, 'id') ?? [])));
}

const idFor = (id: string, { foreign }: Context): string =>
  foreign.has(id) ? id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) : id;

function contentOf(message: AgentMessage, context: Context): readonly JsonObject[] {
  if (message['role'] === 'toolResult') return [resultOf(message, context)];
  if (message['role'] !== 'assistant')
    return blocksOf(message)
      .filter((block) => !isBlank(block))
      .map(userBlock);
  return answerBlocks(message, context.model).flatMap((block) => answerBlock(block, context));
}

function resultOf(message: AgentMessage, context: Context): JsonObject {
  const hasImages = blocksOf(message).some(isImage);
  return {
    type: 'tool_result',
    tool_use_id: idFor(textAt(message, 'toolCallId') ?? '', context),
    content: hasImages ? blocksOf(message).map(userBlock) : joinedText(message),
    is_error: message['isError'] === true,
  };
}

function userBlock(block: JsonObject): JsonObject {
  if (isText(block)) return { type: 'text', text: block['text'] };
  if (!isImage(block)) return block;
  return { type: 'image', source: { type: 'base64', media_type: block['mimeType'], data: block['data'] } };
}

function answerBlock(block: JsonObject, context: Context): JsonObject[] {
  switch (block['type']) {
    case 'text':
      return isBlank(block) ? [] : [{ type: 'text', text: block['text'] }];
    case 'thinking':
      return thinkingBlock(block);
    case 'toolCall': {
      const id = idFor(textAt(block, 'id') ?? '', context);
      return [{ type: 'tool_use', id, name: block['name'], input: objectAt(block, 'arguments') ?? {} }];
    }
    default:
      return [block];
  }
}

/** Reasoning without its seal is sent as text. */
function thinkingBlock(block: JsonObject): JsonObject[] {
  const signature = textAt(block, 'thinkingSignature')?.trim() ? block['thinkingSignature'] : undefined;
  if (block['redacted'] === true) return [{ type: 'redacted_thinking', data: signature }];
  const thinking = textAt(block, 'thinking') ?? '';
  if (thinking.trim() === '') return [];
  return signature === undefined ? [{ type: 'text', text: thinking }] : [{ type: 'thinking', thinking, signature }];
}
