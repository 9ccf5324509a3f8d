import { isObject, textAt, type JsonObject } from '../json.ts';
import { joinTurns, type WireMessage } from './wire-message.ts';

/** The content of a message of Anthropic as blocks, of which a bare text is one. */
export const blocksIn = (content: unknown): readonly JsonObject[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
};

/** A message of Anthropic as it is kept; nothing when it says nothing. */
export function plainMessage(message: JsonObject | undefined): JsonObject[] {
  const content = blocksIn(message?.['content']);
  if (content.length === 0) return [];
  return [{ role: textAt(message, 'role') === 'assistant' ? 'assistant' : 'user', content }];
}

/** The texts of a message as one. */
export const textOfBlocks = (content: unknown): string =>
  blocksIn(content)
    .map((block) => (block['type'] === 'text' ? (textAt(block, 'text') ?? '') : ''))
    .join('');

export const joinMessages = (wire: WireMessage[]): WireMessage[] => joinTurns(wire, 'content');
