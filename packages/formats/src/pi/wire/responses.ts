import { isObject, parseJson, textAt, type JsonObject } from '../../json.ts';
import type { AgentMessage } from '../entries.ts';
import { isOwn, type Model } from '../model.ts';
import {
  answerBlocks,
  blocksOf,
  callId,
  dataUrl,
  isImage,
  isText,
  joinedText,
  type Said,
  type WireMessage,
} from './said.ts';

/** Items of the Responses API. An answer becomes an item for each of its blocks. */
export function toResponses(said: readonly Said[], model: Model): WireMessage[] {
  return said.flatMap(({ message, places }, index) =>
    itemsOf(message, { model, index }).map((item) => ({ message: item, places })),
  );
}

type Context = { readonly model: Model; readonly index: number };

function itemsOf(message: AgentMessage, context: Context): JsonObject[] {
  if (message['role'] === 'toolResult') return [resultOf(message)];
  if (message['role'] !== 'assistant') {
    const content = blocksOf(message).map(inputPart);
    return content.length === 0 ? [] : [{ role: 'user', content }];
  }
  return answerBlocks(message, context.model).flatMap((block) => answerItem(block, message, context));
}

function inputPart(block: JsonObject): JsonObject {
  if (isText(block)) return { type: 'input_text', text: block['text'] };
  return isImage(block) ? { type: 'input_image', detail: 'auto', image_url: dataUrl(block) } : block;
}

function answerItem(block: JsonObject, message: AgentMessage, { model, index }: Context): JsonObject[] {
  switch (block['type']) {
    case 'thinking': {
      // The seal of reasoning is the whole item, as it came.
      const item = parseJson(textAt(block, 'thinkingSignature') ?? '');
      return isObject(item) ? [item] : [];
    }
    case 'text':
      return [textItem(block, index)];
    case 'toolCall': {
      const id = textAt(block, 'id')?.split('|')[1];
      return [
        {
          type: 'function_call',
          ...(id !== undefined && isOwn(message, model) ? { id } : {}),
          call_id: callId(textAt(block, 'id')),
          name: block['name'],
          arguments: JSON.stringify(block['arguments'] ?? {}),
        },
      ];
    }
    default:
      return [block];
  }
}

function textItem(block: JsonObject, index: number): JsonObject {
  const signature = textAt(block, 'textSignature');
  const parsed = signature === undefined ? undefined : parseJson(signature);
  const id = isObject(parsed) ? textAt(parsed, 'id') : signature;
  const phase = isObject(parsed) ? textAt(parsed, 'phase') : undefined;
  return {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: block['text'], annotations: [] }],
    status: 'completed',
    id: id === undefined || id.length > 64 ? `msg_${index}` : id,
    ...(phase === undefined ? {} : { phase }),
  };
}

function resultOf(message: AgentMessage): JsonObject {
  const hasImages = blocksOf(message).some(isImage);
  const output = hasImages ? blocksOf(message).map(inputPart) : joinedText(message);
  return { type: 'function_call_output', call_id: callId(textAt(message, 'toolCallId')), output };
}
