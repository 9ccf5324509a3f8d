import { isObject, textAt, type JsonObject } from '../../json.ts';
import type { Place } from '../../place.ts';
import type { AgentMessage } from '../entries.ts';
import { isOwn, type Model } from '../model.ts';
import type { WireMessage } from '../../wire/wire-message.ts';

/** A message as pi keeps it, and where it stands. */
export type Said = { readonly message: AgentMessage; readonly places: readonly Place[] };

export type { WireMessage };

/** Makes messages of one API. What pi mends on the way is left as it is. */
export type ToWire = (said: readonly Said[], model: Model) => WireMessage[];

/** The blocks of a content, of which a bare text is one. */
export const blocksOf = ({ content }: AgentMessage): readonly JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
};

/**
 * The blocks of an answer for the model that it is sent to. Reasoning of another model becomes text, and its seals go.
 */
export function answerBlocks(message: AgentMessage, model: Model): readonly JsonObject[] {
  const blocks = blocksOf(message);
  if (isOwn(message, model)) return blocks;
  return blocks.flatMap((block) => {
    if (block['type'] === 'text') return [{ type: 'text', text: block['text'] }];
    if (block['type'] === 'toolCall') return [omit(block, 'thoughtSignature')];
    if (block['type'] !== 'thinking') return [block];
    const text = textAt(block, 'thinking') ?? '';
    return block['redacted'] === true || text.trim() === '' ? [] : [{ type: 'text', text }];
  });
}

const omit = (block: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(block).filter(([name]) => name !== key));

export const isText = (block: JsonObject): boolean => block['type'] === 'text';
export const isImage = (block: JsonObject): boolean => block['type'] === 'image';

/** The texts of a result as one. */
export const joinedText = (message: AgentMessage): string =>
  blocksOf(message)
    .filter(isText)
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n');

export const isBlank = (block: JsonObject): boolean => isText(block) && (textAt(block, 'text') ?? '').trim() === '';

export const dataUrl = (image: JsonObject): string =>
  `data:${textAt(image, 'mimeType') ?? ''};base64,${textAt(image, 'data') ?? ''}`;

/** The id of a call, which for one API is two ids in one. */
export const callId = (id: string | undefined): string => id?.split('|')[0] ?? '';
