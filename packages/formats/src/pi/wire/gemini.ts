import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts';
import type { AgentMessage } from '../entries.ts';
import { isOwn, type Model } from '../model.ts';
import { answerBlocks, blocksOf, isBlank, isImage, isText, joinedText, type Said, type WireMessage } from './said.ts';

/** Contents of the Gemini API. Results in a row are one content of the user. */
export function toGemini(said: readonly Said[], model: Model): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const { message, places } of said) {
    const parts = partsOf(message, model);
    if (parts.length === 0) continue;
    const last = wire.at(-1);
    if (message['role'] === 'toolResult' && last !== undefined && holdsResults(last)) {
      const both = [...(last.message['parts'] as readonly unknown[]), ...parts];
      wire[wire.length - 1] = { message: { parts: both, role: 'user' }, places: [...last.places, ...places] };
    } else {
      wire.push({ message: { parts, role: message['role'] === 'assistant' ? 'model' : 'user' }, places });
    }
  }
  return wire;
}

const holdsResults = ({ message: { parts } }: WireMessage): boolean =>
  Array.isArray(parts) && parts.some((part) => isObject(part) && Object.hasOwn(part, 'functionResponse'));

function partsOf(message: AgentMessage, model: Model): JsonObject[] {
  if (message['role'] === 'toolResult') return [resultOf(message)];
  if (message['role'] !== 'assistant') return blocksOf(message).map(userPart);
  const isSealed = isOwn(message, model);
  return answerBlocks(message, model).flatMap((block) => answerPart(block, isSealed));
}

function userPart(block: JsonObject): JsonObject {
  if (isText(block)) return { text: block['text'] };
  return isImage(block) ? { inlineData: { mimeType: block['mimeType'], data: block['data'] } } : block;
}

function answerPart(block: JsonObject, isSealed: boolean): JsonObject[] {
  const seal = (key: string): JsonObject => {
    const signature = isSealed ? textAt(block, key) : undefined;
    return signature === undefined || signature === '' ? {} : { thoughtSignature: signature };
  };
  switch (block['type']) {
    case 'text':
      return isBlank(block) ? [] : [{ text: block['text'], ...seal('textSignature') }];
    case 'thinking':
      if (!textAt(block, 'thinking')?.trim()) return [];
      return [{ thought: true, text: block['thinking'], ...seal('thinkingSignature') }];
    case 'toolCall': {
      const functionCall = { args: objectAt(block, 'arguments') ?? {}, id: block['id'], name: block['name'] };
      return [{ functionCall, ...seal('thoughtSignature') }];
    }
    default:
      return [block];
  }
}

function resultOf(message: AgentMessage): JsonObject {
  const images = blocksOf(message).filter(isImage);
  const text = joinedText(message);
  const response = message['isError'] === true ? { error: text } : { output: text };
  const parts = images.length === 0 ? {} : { parts: images.map(userPart) };
  return { functionResponse: { name: message['toolName'], response, ...parts, id: message['toolCallId'] } };
}
