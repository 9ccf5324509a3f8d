import { isRecord } from '../model/value.ts';

type Wire = Record<string, unknown>;
type Hosted = 'bedrock-converse' | 'mistral-chat';

const CONVERSE_FIELDS = ['toolConfig', 'inferenceConfig', 'additionalModelRequestFields', 'guardrailConfig'] as const;
const CONVERSE_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent'] as const;
const CONVERSE_MEDIA = ['image', 'document', 'video', 'audio'] as const;
const MISTRAL_MODEL = /^(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)-/i;

/** A request that only one of these two APIs takes; undefined where nothing decides. */
export function hostedBody(body: Wire): Hosted | undefined {
  if (CONVERSE_FIELDS.some((field) => isRecord(body[field]))) return 'bedrock-converse';
  const system: unknown = Array.isArray(body['system']) ? body['system'][0] : undefined;
  if (isPlainText(system)) return 'bedrock-converse';
  const { model } = body;
  return typeof model === 'string' && MISTRAL_MODEL.test(model) ? 'mistral-chat' : undefined;
}

/** A message that only one of these two APIs has: by the shape of its parts, or by a key of its own. */
export function hostedMessage({ role, prefix, content }: Wire): Hosted | undefined {
  if (role === 'assistant' && typeof prefix === 'boolean') return 'mistral-chat';
  if (!Array.isArray(content)) return undefined;
  for (const part of content as unknown[]) {
    if (!isRecord(part)) continue;
    if (part['type'] === 'document_url') return 'mistral-chat';
    if (part['type'] === 'thinking' && Array.isArray(part['thinking'])) return 'mistral-chat';
    if (isBlock(part)) return 'bedrock-converse';
  }
  return undefined;
}

/** A block has no type; one key says what it is. */
function isBlock(part: Wire): boolean {
  if (part['type'] !== undefined) return false;
  return CONVERSE_BLOCKS.some((key) => isRecord(part[key])) || CONVERSE_MEDIA.some((key) => isRecord(part[key]));
}

/** True for a list of texts without a type, which no other API sends under a role. */
export function isBlockList(content: readonly unknown[]): boolean {
  return content.some(isPlainText);
}

function isPlainText(part: unknown): boolean {
  return isRecord(part) && part['type'] === undefined && typeof part['text'] === 'string';
}
